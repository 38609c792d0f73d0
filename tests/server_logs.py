"""Writes lines as servers do, for tests that read them."""

from __future__ import annotations

import io

from servelint.api import LogOptions
from servelint_sglang.startup import startup

ARGUMENTS = {
    "disaggregation_decode_enable_radix_cache": 11,
    "dcp_size": 15,
    "dcp_comm_backend": 17,
    "disaggregation_decode_retraction_backup": 18,
    "grpc_worker_threads": 19,
    "return_input_ids": 20,
    "disaggregation_enable_kv_checksum": 21,
    "disaggregation_decode_allocation_policy": 22,
    "enable_http_worker_reuseport": 23,
}
"""Arguments, and the third number of the release that brought each."""


def dump(role, release=18, **more):
    """The arguments that 0.5.``release`` prints."""
    values = {name: None for name, first in ARGUMENTS.items() if first <= release}
    values |= {
        "model_path": "zoo/owl-9b",
        "tp_size": 8,
        "dp_size": 1,
        "speculative_algorithm": None,
    }
    values |= {"dcp_size": 1} if release >= 15 else {}
    values |= {"disaggregation_mode": role} | more
    if release < 19:
        inside = ", ".join(f"{name}={value!r}" for name, value in values.items())
        return f"[2026-08-30 02:58:40] server_args=ServerArgs({inside})"
    return f"[2026-08-30 02:58:40] server_args={values!r}"


def numbers(pool, context, tags="", stamp="2026-08-30 03:00:00"):
    """The startup line of a rank."""
    return (
        f"[{stamp}{tags}] max_total_num_tokens={pool}, chunked_prefill_size=8192, "
        f"max_prefill_tokens=16384, max_running_requests=64, context_len={context}, "
        "available_gpu_mem=9.50 GB"
    )


def refusal(length, limit, rid="ab12"):
    """What a server prints of a prompt that is too long."""
    return (
        f"[2026-08-30 04:00:00 TP0] Input length ({length} tokens) exceeds the maximum allowed "
        f"length ({limit} tokens). Use a shorter input or enable --allow-auto-truncate., "
        f"self.rid='{rid}'"
    )


def read(logs, **said):
    """The rows and the judgement of logs by name; each is a text, bytes or a list of lines."""
    files = []
    for name, log in logs.items():
        text = "\n".join(log) + "\n" if isinstance(log, list) else log
        files.append((name, io.BytesIO(text if isinstance(text, bytes) else text.encode())))
    return startup(files, LogOptions(**said))


def row(log, **said):
    """The one row of a log."""
    rows, _ = read({"a.log": log}, **said)
    assert len(rows) == 1
    return rows[0]
