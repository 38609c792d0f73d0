from vllm import LLM
from vllm.config import KVTransferConfig

config = KVTransferConfig(kv_connector="PyNcclConnector", kv_role="kv_producer", kv_rank=0)
llm = LLM(model="m", kv_transfer_config=config)
