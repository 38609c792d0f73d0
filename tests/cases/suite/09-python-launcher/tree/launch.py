import subprocess
import sys


def start(role):
    words = [sys.executable, "-m", "sglang.launch_server", "--model-path", "m", "--host", "0.0.0.0"]
    words += ["--disaggregation-mode", role]
    subprocess.run(words, check=True)


start("prefill")
