"""PyTorch's own samples of its operators (OpInfo), on an emulated device and on the CPU: results
and gradients are to be the same. Wants the packages expecttest and scipy.

    xfertrace --emulate python3 operators.py [SECONDS [PART PARTS]]

Exit code 77 (skipped) where something is missing for it.

Prints what differs and fails where an operator does that is not listed in EXCEPTIONS.
"""

import itertools
import sys
import time
import warnings

try:
    import torch
    from torch.testing._internal.common_methods_invocations import op_db
    from torch.utils._pytree import tree_map
except ImportError as missing:  # expecttest comes with PyTorch's tests alone
    print(missing)
    sys.exit(77)

SAMPLES = 4

# Operator: why it differs.
UNSET = "what is there is not set"
NONE_FOR_CUDA = "PyTorch has none for CUDA"
SAVED = "it tells more of what it saved for the backward pass, as on a GPU"
EXCEPTIONS = {
    "empty": UNSET,
    "empty_like": UNSET,
    "empty_permuted": UNSET,
    "empty_strided": UNSET,
    "new_empty": UNSET,
    "new_empty_strided": UNSET,
    "histogram": NONE_FOR_CUDA,
    "histogramdd": NONE_FOR_CUDA,
    "sparse.mm.reduce": NONE_FOR_CUDA,
    "torch.ops.aten._scaled_dot_product_flash_attention_for_cpu": NONE_FOR_CUDA,
    "tensor_split": "its indices are to be on the CPU",
    "native_batch_norm": SAVED,
    "_native_batch_norm_legit": SAVED,
}


def moved(sample, device):
    """The sample's values, with tensors and devices replaced."""
    def one(value):
        if isinstance(value, torch.Tensor):
            return value.detach().clone().to(device).requires_grad_(value.requires_grad)
        if isinstance(value, torch.device) or (isinstance(value, str) and value == "cpu"):
            return torch.device(device)
        return value
    return tuple(tree_map(one, part) for part in (sample.input, sample.args, sample.kwargs))


def result_of(operator, sample, device):
    """The operator's result, on the CPU, and the gradient of its sum by the input, if any."""
    value, args, kwargs = moved(sample, device)
    torch.manual_seed(0)
    result = operator.op(value, *args, **kwargs)
    gradient = None
    if (isinstance(result, torch.Tensor) and result.requires_grad and result.is_floating_point()
            and isinstance(value, torch.Tensor) and value.requires_grad):
        gradient, = torch.autograd.grad(result.sum(), value, allow_unused=True)
    def to_host(part):
        return part.detach().cpu() if isinstance(part, torch.Tensor) else part
    return tree_map(to_host, result), tree_map(to_host, gradient)


def same(ours, theirs):
    try:
        torch.testing.assert_close(ours, theirs, equal_nan=True, rtol=1e-4, atol=1e-4,
                                   check_stride=False)
    except Exception as error:  # of any kind: it compares what it does not know, too
        return str(error).strip().splitlines()[0][:100]
    return None


def difference(operator):
    """("", False): it is the same. Else what differs, and whether that is the gradient alone."""
    dtype = next((each for each in (torch.float32, torch.int64, torch.bool)
                  if each in operator.dtypes), None)
    if dtype is None:
        return None
    gradients = dtype == torch.float32 and operator.supports_autograd
    compared = False
    for sample in itertools.islice(
            operator.sample_inputs("cpu", dtype, requires_grad=gradients), SAMPLES):
        try:
            expected, expected_gradient = result_of(operator, sample, "cpu")
        except Exception:  # the sample is not for the CPU
            continue
        compared = True
        try:
            found, gradient = result_of(operator, sample, "cuda")
        except Exception as error:
            return f"{type(error).__name__}: {str(error).strip().splitlines()[0][:100]}", False
        if problem := same(found, expected):
            return problem, False
        if problem := same(gradient, expected_gradient):
            return problem, True
    return ("", False) if compared else None


def main():
    if not torch.cuda.is_available():
        print("no device")
        return 77
    warnings.simplefilter("ignore")
    seconds, part, parts = [*map(int, sys.argv[1:]), *(0, 0, 1)[len(sys.argv) - 1:]]
    end = time.time() + seconds if seconds else None
    counts = {"same": 0, "result": 0, "gradient": 0}
    wrong = []
    for operator in op_db[part::parts]:
        if end and time.time() > end:
            print(f"stopped at {operator.name}")
            break
        name = operator.name + ("." + operator.variant_test_name
                                if operator.variant_test_name else "")
        try:
            found = difference(operator)
        except Exception:  # it has no samples for the CPU
            continue
        if found is None:
            continue
        problem, of_gradient = found
        counts["gradient" if of_gradient else "result" if problem else "same"] += 1
        if problem:
            known = EXCEPTIONS.get(name)
            print(f"{name}: {'gradient: ' if of_gradient else ''}{problem}"
                  f"{f' ({known})' if known else ''}", flush=True)
            if not known:
                wrong.append(name)
    print(counts)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
