"""PyTorch programs that print what they compute, one a function, on the device that is named: an
emulated one is to print what the CPU prints.

    same.py CASE cpu|cuda
"""

import io
import math
import re
import sys

import torch
from torch import nn
from torch.nn import functional


def show(*values):
    """To the digits that do not depend on the order of sums."""
    print(*(f"{float(value):.5g}" if not isinstance(value, str) else value for value in values))


def tell(*values):
    """Tensors without the name of their device."""
    print(*(re.sub(r",\s+device='\w+(:0)?'", "", repr(value)) for value in values))


def train(model, inputs, targets, loss_of, optimizer, steps=4):
    for _ in range(steps):
        optimizer.zero_grad()
        loss = loss_of(model(inputs), targets)
        loss.backward()
        optimizer.step()
        show(loss.detach())
    show(sum(parameter.detach().double().abs().sum() for parameter in model.parameters()))


def digits(device):
    model = nn.Sequential(
        nn.Conv2d(1, 8, 3), nn.ReLU(), nn.Conv2d(8, 16, 3, stride=2, groups=2),
        nn.BatchNorm2d(16), nn.ReLU(), nn.MaxPool2d(2), nn.Dropout(0.25), nn.Flatten(),
        nn.Linear(16 * 6 * 6, 32), nn.ReLU(), nn.Dropout(0.5), nn.Linear(32, 10),
        nn.LogSoftmax(1)).to(device)
    images, labels = torch.randn(32, 1, 28, 28).to(device), torch.randint(0, 10, (32,)).to(device)
    train(model, images, labels, functional.nll_loss, torch.optim.Adadelta(model.parameters()))
    model.eval()
    with torch.no_grad():
        answer = model(images).argmax(1, keepdim=True)
        print(answer.eq(labels.view_as(answer)).sum().item(), answer.view(-1).tolist())


class Block(nn.Module):
    def __init__(self, channels, out, stride):
        super().__init__()
        self.body = nn.Sequential(
            nn.Conv2d(channels, out, 3, stride, 1, bias=False), nn.BatchNorm2d(out), nn.ReLU(True),
            nn.Conv2d(out, out, 3, 1, 1, bias=False), nn.BatchNorm2d(out))
        self.short = nn.Sequential(nn.Conv2d(channels, out, 1, stride, bias=False),
                                   nn.BatchNorm2d(out)) if stride != 1 else nn.Identity()

    def forward(self, x):
        return functional.relu(self.body(x) + self.short(x))


def residual(device):
    model = nn.Sequential(
        nn.Conv2d(3, 16, 7, 2, 3, bias=False), nn.BatchNorm2d(16), nn.ReLU(True),
        nn.MaxPool2d(3, 2, 1), Block(16, 16, 1), Block(16, 32, 2), Block(32, 64, 2),
        nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(64, 7)).to(device)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.05, momentum=0.9, weight_decay=1e-4)
    scheduler = torch.optim.lr_scheduler.StepLR(optimizer, 1, 0.5)
    images, labels = torch.randn(8, 3, 64, 64).to(device), torch.randint(0, 7, (8,)).to(device)
    for _ in range(3):
        train(model, images, labels, nn.CrossEntropyLoss(label_smoothing=0.1), optimizer, 1)
        scheduler.step()


def words(device):
    class Model(nn.Module):
        def __init__(self):
            super().__init__()
            self.embed = nn.Embedding(50, 24)
            self.recur = nn.LSTM(24, 32, 2, dropout=0.2)
            self.decode = nn.Linear(32, 50)

        def forward(self, ids):
            return self.decode(self.recur(self.embed(ids))[0]).view(-1, 50)

    model = Model().to(device)
    ids = torch.randint(0, 50, (12, 6)).to(device)
    for step in range(3):
        loss = functional.cross_entropy(model(ids[:-1]), ids[1:].reshape(-1))
        model.zero_grad()
        loss.backward()
        norm = torch.nn.utils.clip_grad_norm_(model.parameters(), 0.25)
        with torch.no_grad():
            for parameter in model.parameters():
                parameter.add_(parameter.grad, alpha=-2.0)
        print(f"{math.exp(loss.item()):.5g} {float(norm):.5g}")
    out = torch.multinomial(model(ids[:1]).softmax(-1), 1)
    print(out.view(-1).tolist())


def gated(device):
    class Model(nn.Module):
        def __init__(self):
            super().__init__()
            self.recur = nn.GRU(5, 16, bidirectional=True, batch_first=True)
            self.out = nn.Linear(32, 3)

        def forward(self, packed):
            state = self.recur(packed)[1]
            return self.out(torch.cat([state[0], state[1]], 1))

    model = Model().to(device)
    lengths = torch.tensor([7, 5, 2])
    packed = nn.utils.rnn.pack_padded_sequence(
        torch.randn(3, 7, 5).to(device), lengths, batch_first=True)
    train(model, packed, torch.tensor([0, 2, 1]).to(device), functional.cross_entropy,
          torch.optim.RMSprop(model.parameters()))


def cells(device):
    first, second = nn.LSTMCell(1, 20).to(device), nn.GRUCell(20, 1).to(device)
    parameters = [*first.parameters(), *second.parameters()]
    series = torch.sin(torch.arange(60.0).view(3, 20)).to(device)
    optimizer = torch.optim.LBFGS(parameters, lr=0.5, max_iter=4)

    def closure():
        optimizer.zero_grad()
        h, c = (torch.zeros(3, 20, device=device) for _ in range(2))
        out, loss = torch.zeros(3, 1, device=device), 0
        for step in series[:, :-1].split(1, 1):
            h, c = first(step, (h, c))
            out = second(h, out)
        loss = functional.mse_loss(out, series[:, -1:])
        loss.backward()
        return loss

    optimizer.step(closure)
    optimizer.step(closure)
    show(sum(parameter.detach().abs().sum() for parameter in parameters))


def variational(device):
    encode, decode = nn.Linear(64, 16).to(device), nn.Linear(8, 64).to(device)
    optimizer = torch.optim.Adam([*encode.parameters(), *decode.parameters()], 1e-2)
    x = torch.rand(16, 64).to(device)
    for _ in range(4):
        mean, log = encode(x).chunk(2, 1)
        z = mean + torch.randn_like(mean) * (0.5 * log).exp()
        loss = functional.binary_cross_entropy(decode(z).sigmoid(), x, reduction="sum") - \
            0.5 * torch.sum(1 + log - mean.pow(2) - log.exp())
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        show(loss.detach())
    show(decode(torch.randn(4, 8, device=device)).sigmoid().detach().mean())


def adversarial(device):
    made = nn.Sequential(
        nn.ConvTranspose2d(8, 16, 4, 1, 0, bias=False), nn.BatchNorm2d(16), nn.ReLU(True),
        nn.ConvTranspose2d(16, 1, 4, 2, 1, bias=False), nn.Tanh()).to(device)
    judge = nn.Sequential(nn.Conv2d(1, 16, 4, 2, 1), nn.LeakyReLU(0.2, True),
                          nn.Conv2d(16, 1, 4), nn.Flatten()).to(device)
    for module in (*made, *judge):
        if isinstance(module, (nn.Conv2d, nn.ConvTranspose2d)):
            nn.init.normal_(module.weight, 0.0, 0.02)
    by = [torch.optim.Adam(net.parameters(), 2e-3, betas=(0.5, 0.999)) for net in (made, judge)]
    real = torch.randn(6, 1, 8, 8).to(device)
    for _ in range(3):
        fake = made(torch.randn(6, 8, 1, 1, device=device))
        by[1].zero_grad()
        ones = torch.full((6, 1), 1.0, device=device)
        wrong = functional.binary_cross_entropy_with_logits(judge(real), ones) + \
            functional.binary_cross_entropy_with_logits(judge(fake.detach()), ones * 0)
        wrong.backward()
        by[1].step()
        by[0].zero_grad()
        fooled = functional.binary_cross_entropy_with_logits(judge(fake), ones)
        fooled.backward()
        by[0].step()
        show(wrong.detach(), fooled.detach())


def transformer(device):
    class Model(nn.Module):
        def __init__(self):
            super().__init__()
            self.embed = nn.Embedding(40, 32)
            layer = nn.TransformerEncoderLayer(32, 4, 64, dropout=0.1, batch_first=True,
                                               norm_first=True)
            self.layers = nn.TransformerEncoder(layer, 2, enable_nested_tensor=False)
            self.out = nn.Linear(32, 40)

        def forward(self, ids):
            mask = nn.Transformer.generate_square_subsequent_mask(ids.size(1), device=ids.device)
            return self.out(self.layers(self.embed(ids), mask=mask, is_causal=True))

    model = Model().to(device)
    ids = torch.randint(0, 40, (4, 10)).to(device)
    train(model, ids, ids.roll(-1, 1), lambda out, to: functional.cross_entropy(
        out.flatten(0, 1), to.flatten()), torch.optim.AdamW(model.parameters(), 3e-3))
    model.eval()
    with torch.inference_mode():
        for _ in range(6):
            ids = torch.cat([ids, model(ids)[:, -1].topk(1).indices], 1)
    print(ids.tolist())


def graph_convolution(device):
    edges = torch.randint(0, 20, (2, 60)).to(device)
    adjacent = torch.zeros(20, 20, device=device)
    adjacent[edges[0], edges[1]] = 1
    adjacent += torch.eye(20, device=device)
    scale = adjacent.sum(1).pow(-0.5)
    adjacent = scale[:, None] * adjacent * scale
    weights = [nn.Parameter(torch.randn(12, 16).to(device)),
               nn.Parameter(torch.randn(16, 3).to(device))]
    labels = torch.randint(0, 3, (20,)).to(device)
    mask = torch.rand(20).to(device) < 0.6
    optimizer = torch.optim.Adam(weights, 0.01, weight_decay=5e-4)
    x = torch.randn(20, 12).to(device)
    for _ in range(4):
        out = adjacent @ (adjacent @ x @ weights[0]).relu() @ weights[1]
        loss = functional.cross_entropy(out[mask], labels[mask])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        show(loss.detach(), (out.argmax(1) == labels)[mask].float().mean())
    print(torch.zeros(20, device=device).index_add_(
        0, edges[0], torch.ones(60, device=device)).tolist())


def selected(device):
    x = torch.randn(6, 5).to(device)
    keep = x > 0
    tell(int(keep.sum()), [round(value, 4) for value in x[keep].tolist()])
    tell(x.argmax(1).tolist(), x.sort(0).indices[0].tolist(), keep.nonzero().shape)
    tell(torch.unique(torch.tensor([3, 1, 3, 2]).to(device), return_counts=True))
    x[x < 0] = 0
    x.scatter_(1, torch.zeros(6, 1, dtype=torch.long, device=device), 9.0)
    tell(torch.where(x > 1, x, x.new_zeros(())).sum(0))
    values, index = x.topk(2)
    tell(values, index, torch.equal(x, x.clone()), torch.allclose(x, x + 1))
    tell(torch.bincount(torch.tensor([0, 2, 2, 5]).to(device)), x.std(), x.median())
    tell(torch.cdist(x, x[:2]).mean(), torch.einsum("ij,kj->ik", x, x).trace())
    tell(torch.linalg.svdvals(x)[:2], torch.linalg.inv(x[:5] + torch.eye(5, device=device)).sum(),
          torch.fft.rfft(x).abs().sum())
    tell(functional.interpolate(x[None, None], scale_factor=2, mode="bilinear").sum(),
          functional.grid_sample(x[None, None], torch.zeros(1, 2, 2, 2, device=device),
                                 align_corners=False))


def mixed(device):
    model = nn.Sequential(nn.Linear(32, 64), nn.GELU(), nn.LayerNorm(64), nn.Linear(64, 4))
    model.to(device)
    optimizer = torch.optim.AdamW(model.parameters())
    x, y = torch.randn(16, 32).to(device), torch.randint(0, 4, (16,)).to(device)
    for _ in range(3):
        with torch.autocast(device, dtype=torch.bfloat16):
            loss = functional.cross_entropy(model(x), y)
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()
        print(f"{loss.item():.1f}")


def kept(device):
    model = nn.Sequential(nn.Linear(8, 8), nn.BatchNorm1d(8)).to(device)
    optimizer = torch.optim.Adam(model.parameters())
    x = torch.randn(4, 8).to(device)
    train(model, x, x, functional.mse_loss, optimizer, 2)
    file = io.BytesIO()
    torch.save({"model": model.state_dict(), "optimizer": optimizer.state_dict()}, file)
    file.seek(0)
    state = torch.load(file, map_location="cpu")
    model.load_state_dict(state["model"])
    optimizer.load_state_dict(state["optimizer"])
    train(model, x, x, functional.mse_loss, optimizer, 2)


def drawn(device):
    tell(torch.rand(3, device=device), torch.randint(0, 9, (4,), device=device),
          torch.randperm(5, device=device), torch.bernoulli(torch.full((6,), 0.5, device=device)))
    generator = torch.Generator(device).manual_seed(7)
    tell(torch.randn(2, generator=generator, device=device),
          torch.randn(2, generator=generator, device=device))
    generator.manual_seed(7)
    tell(torch.randn(2, generator=generator, device=device), torch.normal(
        torch.zeros(2, device=device), torch.ones(2, device=device)))
    tell(torch.distributions.Categorical(logits=torch.zeros(4, device=device)).sample((5,)),
          torch.empty(3, device=device).uniform_(1, 2),
         torch.empty(2, device=device).exponential_())


def sparse_layers(device):
    table = nn.Embedding(10, 4, sparse=True).to(device)
    bag = nn.EmbeddingBag(10, 4, sparse=True, mode="sum").to(device)
    words = torch.tensor([[1, 2, 2, 5]]).to(device)
    for layer, kind in ((table, torch.optim.SparseAdam), (bag, torch.optim.Adagrad)):
        optimizer = kind(layer.parameters(), lr=0.1)
        for _ in range(3):
            optimizer.zero_grad()
            loss = layer(words).square().sum()
            loss.backward()
            optimizer.step()
            show(loss.detach())


def sparse_matrices(device):
    dense = torch.randn(6, 5).clamp(min=0).to(device)
    other = torch.randn(6, 5).clamp(min=0.5).to(device)
    vectors, picked = torch.randn(5, 3).to(device), torch.tensor([0, 2]).to(device)
    both = dense.to_sparse(), other.to_sparse()
    show(both[0]._nnz())
    for made in (both[0] + both[1], both[0] * both[1], both[0].clone().add_(both[1]),
                 torch.sparse.mm(both[0], both[1].t()), torch.sparse.softmax(both[0], 1),
                 torch.cat(both), dense.sparse_mask(both[1]), both[0].index_select(1, picked)):
        show(made.to_dense().square().sum())
    show((dense + both[1]).sum(), (both[0] @ vectors).sum(), torch.sparse.sum(both[0]))
    for made in (dense.to_sparse_csr(), dense.to_sparse_csc()):
        show((made @ vectors).sum(), (made + made).to_dense().sum(), made.to_sparse()._nnz())
    vectors.requires_grad_()
    torch.sparse.mm(both[0], vectors).square().sum().backward()
    show(vectors.grad.sum())


def channels_last(device):
    model = nn.Sequential(nn.Conv2d(3, 8, 3), nn.BatchNorm2d(8), nn.ReLU(), nn.Conv2d(8, 4, 1))
    model = model.to(device).to(memory_format=torch.channels_last)
    images = torch.randn(4, 3, 8, 8).to(device).to(memory_format=torch.channels_last)
    out = model(images)
    tell(out.stride())
    show(out.permute(0, 2, 3, 1).view(-1, 4).square().sum(0).max())
    out.square().sum().backward()
    for parameter in model.parameters():
        tell(parameter.grad.stride())
        show(parameter.grad.abs().sum())


def attention_by_name(device):
    """Of half numbers, with dropout, by each of the kernels for GPUs."""
    def by_mathematics(query, key, value):
        past = torch.ones(16, 16, dtype=torch.bool).tril()
        scores = query.float() @ key.float().mT / 8
        weights = scores.masked_fill(~past, float("-inf")).softmax(-1)
        return (functional.dropout(weights, 0.5) @ value.float()).to(value.dtype)

    backends = torch.nn.attention.SDPBackend
    for backend in (backends.FLASH_ATTENTION, backends.EFFICIENT_ATTENTION,
                    backends.CUDNN_ATTENTION):
        parts = [torch.randn(2, 3, 16, 64).half().to(device).requires_grad_() for _ in range(3)]
        if device == "cpu":
            out = by_mathematics(*parts)
        else:
            with torch.nn.attention.sdpa_kernel(backend):
                out = functional.scaled_dot_product_attention(*parts, dropout_p=0.5,
                                                              is_causal=True)
        out.float().square().sum().backward()
        sums = torch.stack([made.float().abs().sum() for made in
                            (out, *(part.grad for part in parts))])
        show(" ".join(f"{number:.3g}" for number in sums.tolist()))


def padded(device):
    """Without dropout PyTorch computes such a layer as one operator, of nested tensors."""
    layer = nn.TransformerEncoderLayer(8, 2, 16, batch_first=True)
    model = nn.TransformerEncoder(layer, 2).to(device).eval()
    sentences = torch.randn(3, 5, 8).to(device)
    padding = torch.arange(5).expand(3, 5).ge(torch.tensor([[5], [3], [4]])).to(device)
    with torch.no_grad():
        show(model(sentences).square().sum())
        show(model(sentences, src_key_padding_mask=padding).square().sum())
        nested = torch.nested.nested_tensor([sentences[0, :2], sentences[1]])
        show(torch.softmax(nested + nested, -1).to_padded_tensor(0.0).square().sum())


def widened(device):
    """Of half precision softmax makes float, as it does under autocast."""
    scores = torch.randn(4, 7).half().to(device).requires_grad_()
    for softmax in (torch.softmax, torch.log_softmax):
        made = softmax(scores, -1, dtype=torch.float32)
        made.square().sum().backward()
        show(made.double().square().sum(), scores.grad.double().abs().sum())


def main():
    case, device = sys.argv[1:]
    torch.manual_seed(1)
    torch.set_printoptions(precision=3)
    globals()[case](device)


if __name__ == "__main__":
    main()
