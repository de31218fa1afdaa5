"""Exports a BERT-like model of Hugging Face to ONNX, with the hidden states of all layers as outputs.

    pip install torch transformers onnx
    python export_hidden_states.py google-bert/bert-base-multilingual-cased mbert

Writes model.onnx, tokenizer.json, tokenizer_config.json and config.json into the folder: an encoder of
@arcwise/encoder-onnx. MODEL is a name on the hub or a folder. --quantise needs onnxruntime as well: weights of 8 bits,
a quarter of the size. They are unsigned, because kernels of processors without VNNI overflow with signed ones.
"""

import argparse
import os

import torch
from transformers import AutoConfig, AutoModel, AutoTokenizer


class HiddenStates(torch.nn.Module):
    """Returns the hidden states of all layers, the embeddings first."""

    def __init__(self, model):
        super().__init__()
        self.model = model

    def forward(self, *inputs):
        named = dict(zip(self.names, inputs))
        return self.model(**named, output_hidden_states=True, return_dict=True).hidden_states


def export(name, folder):
    """Writes the model and its tokeniser. Returns the path of the graph."""
    tokenizer = AutoTokenizer.from_pretrained(name, use_fast=True)
    if not tokenizer.is_fast:
        raise SystemExit(f"{name} has no fast tokeniser, which tokenizer.json is made from")
    config = AutoConfig.from_pretrained(name)
    model = AutoModel.from_pretrained(name, attn_implementation="eager").eval().float()
    os.makedirs(folder, exist_ok=True)
    tokenizer.save_pretrained(folder)
    config.save_pretrained(folder)
    # Two sentences of different lengths: the mask and the padding are a part of the graph.
    sample = tokenizer(["A cat sleeps.", "A cat."], padding=True, return_tensors="pt")
    module = HiddenStates(model)
    module.names = [key for key in sample if key in ("input_ids", "attention_mask", "token_type_ids")]
    outputs = [f"hidden_states.{n}" for n in range(config.num_hidden_layers + 1)]
    path = os.path.join(folder, "model.onnx")
    torch.onnx.export(
        module,
        tuple(sample[key] for key in module.names),
        path,
        input_names=module.names,
        output_names=outputs,
        dynamic_axes={key: {0: "batch", 1: "sequence"} for key in module.names + outputs},
        opset_version=18,
        dynamo=False,
    )
    return path


def quantise(path):
    """Replaces the weights of a graph by 8-bit integers."""
    from onnxruntime.quantization import QuantType, quantize_dynamic

    exact = path + ".32"
    os.replace(path, exact)
    quantize_dynamic(exact, path, weight_type=QuantType.QUInt8, per_channel=True)
    os.remove(exact)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("model", help="name on the hub, or folder")
    parser.add_argument("folder", help="folder to write")
    parser.add_argument("--quantise", action="store_true", help="weights of 8 bits")
    options = parser.parse_args()
    written = export(options.model, options.folder)
    if options.quantise:
        quantise(written)
    print(f"{written}: {os.path.getsize(written) / 1e6:.0f} MB")
