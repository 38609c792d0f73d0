"""What servelint must know of its built-in plugins before it imports them.

Literals only: a run without a relevant file reads nothing else of a plugin.
"""

PLUGINS = (("sglang", "servelint_sglang"), ("vllm", "servelint_vllm"))
"""The built-in plugins: their names, which are those of their tables, and their modules."""

RESOLVER = "servelint_registry"
"""The module that looks into images over the network, when it is asked to."""

AUDITOR = "servelint_pip_audit"
"""The module that runs audits of packages."""

NEEDLES = (
    b"sglang",
    b"SGLang",
    b"SGLANG",
    b"sgl-dev",
    b"sgltmp",
    b"disaggregation-mode",
    b"disaggregation_mode",
    b"pd-disaggregation",
    b"kv-transfer-config",
    b"kv_transfer_config",
    b"KVTransferConfig",
)
"""A file that holds one of these can say something about a product that a plugin knows.

Case matters. Package names and prose are found in three spellings, the images
of AMD by their repository, and a file that leaves image and program to others
(values, arguments, a router's command) by the options that make a pair. So is vLLM:
its name alone stands in too many files that run no pair.
"""

LANGUAGE_NEEDLES = {
    "python": (
        # programs, as a command line or a list of words names them
        b"sglang.launch_server",
        b"sglang serve",
        b"dynamo.sglang",
        b"sglang/launch_server.py",
        b"vllm serve",
        b"vllm.entrypoints.openai.api_server",
        b"sglang_router.launch_router",
        b"sglang_router.launch_server",
        b"-m sglang_router",
        b"sglang.srt.disaggregation.mini_lb",
        b"sglang.srt.disaggregation.launch_lb",
        b"sglang.srt.entrypoints.grpc_server",
        b"smg.launch_router",
        b"sglang-router launch",
        b"sglang-router server",
        b"smg launch",
        b"smg server",
        # options, without hyphens in front
        b"disaggregation-mode",
        b"pd-disaggregation",
        b"prefill-num-servers",
        # calls, by name or by package and name
        b"ServerArgs(",
        b"KVTransferConfig(",
        b"LLMConfig(",
        b"sglang.Engine",
        b"sgl.Engine",
        # images
        b"lmsysorg/sglang",
        b"rocm/sgl-dev",
        b"/sglang:",
        b"/sglang-runtime",
        b"/sglang-rocm",
        # pins
        b"sglang==",
        b"sglang>",
        b"sglang<",
        b"sglang~",
        b"sglang!",
        b"sglang[",
        b"sglang @",
        # what only finds files: imports, and programs spelled out over several words
        b"from sglang import",
        b"entrypoints.engine import",
        b'"sglang", "serve"',
        b"'sglang', 'serve'",
        b'"vllm", "serve"',
        b"'vllm', 'serve'",
        b'"sglang",\n',
        b"'sglang',\n",
        b'"vllm",\n',
        b"'vllm',\n",
        b'"smg", "',
        b"'smg', '",
        b'"sglang-router", "',
        b"'sglang-router', '",
        b'"-m", "sglang_router"',
        b"'-m', 'sglang_router'",
    ),
}
"""Per language, what makes a relevant file worth parsing, where most relevant files are not.

The name of a product is no such word: its own sources are full of it. The form
of a word tells the reader what it is, see ``servelint.readers.python.needles``.
"""

DATA_DATE = "2026-11-30"
"""The day (YYYY-MM-DD) up to which the data of the built-in plugins was gathered."""
