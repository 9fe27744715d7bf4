"""PyTorch programs as they should be, one a function: nothing is to be found."""

import copy
import io
import sys
import time

import torch
from torch import nn
from torch.nn import functional

DEVICE = "cuda"


def convolutional(channels=8):
    return nn.Sequential(
        nn.Conv2d(1, channels, 3, padding=1), nn.BatchNorm2d(channels), nn.ReLU(), nn.MaxPool2d(2),
        nn.Flatten(), nn.Linear(channels * 14 * 14, 10)).to(DEVICE)


def training():
    images = torch.utils.data.TensorDataset(
        torch.randn(320, 1, 28, 28), torch.randint(0, 10, (320,)))
    loader = torch.utils.data.DataLoader(
        images, batch_size=64, shuffle=True, num_workers=2, pin_memory=True)
    model = convolutional()
    optimizer = torch.optim.Adam(model.parameters())
    for _ in range(3):
        total = torch.zeros((), device=DEVICE)
        for x, y in loader:
            x = x.to(DEVICE, non_blocking=True)
            y = y.to(DEVICE, non_blocking=True)
            optimizer.zero_grad()
            loss = functional.cross_entropy(model(x), y)
            loss.backward()
            optimizer.step()
            total += loss.detach()
        total.item()
        torch.save({name: value.cpu() for name, value in model.state_dict().items()}, io.BytesIO())


def inference():
    model = convolutional().eval()
    images = torch.randn(640, 1, 28, 28)
    answers = []
    with torch.no_grad():
        for batch in images.split(64):
            answers.append(model(batch.to(DEVICE)).argmax(1).cpu())
    return torch.cat(answers)


def pinned():
    buffers = [torch.empty(1024, 1024, pin_memory=True) for _ in range(2)]
    sent = [torch.cuda.Event() for _ in range(2)]
    for step in range(10):
        which = step % 2
        sent[which].synchronize()
        buffers[which].copy_(torch.randn(1024, 1024))
        moved = buffers[which].to(DEVICE, non_blocking=True)
        sent[which].record()
        moved.add_(1)
    torch.cuda.synchronize()


def mixed_precision():
    model = nn.Sequential(nn.Linear(256, 512), nn.GELU(), nn.Linear(512, 10)).to(DEVICE)
    optimizer = torch.optim.AdamW(model.parameters())
    scaler = torch.amp.GradScaler("cuda")
    for _ in range(8):
        x = torch.randn(128, 256, device=DEVICE)
        with torch.autocast("cuda", dtype=torch.float16):
            loss = model(x).pow(2).mean()
        scaler.scale(loss).backward()
        scaler.step(optimizer)
        scaler.update()
        optimizer.zero_grad()


def averaged_weights():
    model = nn.Linear(512, 512).to(DEVICE)
    average = copy.deepcopy(model)
    for _ in range(12):
        model(torch.randn(32, 512, device=DEVICE)).pow(2).mean().backward()
        with torch.no_grad():
            for own, mean in zip(model.parameters(), average.parameters()):
                own -= 0.01 * own.grad
                own.grad = None
                mean.mul_(0.9).add_(own, alpha=0.1)


def attention():
    encoder = nn.TransformerEncoder(
        nn.TransformerEncoderLayer(64, 4, 128, batch_first=True), 2).to(DEVICE)
    words = nn.Embedding(100, 64).to(DEVICE)
    mask = nn.Transformer.generate_square_subsequent_mask(16).to(DEVICE)
    for _ in range(6):
        tokens = torch.randint(0, 100, (8, 16)).to(DEVICE)
        encoder(words(tokens), mask=mask).sum().backward()


def recurrent():
    layers = nn.LSTM(32, 64, 2, batch_first=True).to(DEVICE)
    for _ in range(4):
        out, _ = layers(torch.randn(8, 20, 32).to(DEVICE))
        out.mean().backward()


def side_stream():
    stream = torch.cuda.Stream()
    batch = torch.randn(1024, 1024).pin_memory()
    for _ in range(8):
        with torch.cuda.stream(stream):
            moved = batch.to(DEVICE, non_blocking=True)
        torch.cuda.current_stream().wait_stream(stream)
        moved.record_stream(torch.cuda.current_stream())
        moved.mul_(2)
        stream.synchronize()
        batch.add_(1)
    torch.cuda.synchronize()


def pinned_by_a_thread():
    images = torch.utils.data.TensorDataset(torch.randn(96, 3, 64, 64))
    loader = torch.utils.data.DataLoader(images, batch_size=8, num_workers=1, pin_memory=True)
    total = torch.zeros((), device=DEVICE)
    for (x,) in loader:
        total += x.to(DEVICE, non_blocking=True).sum()
    print(float(total))


def printed():
    x = torch.randn(3, 4, device=DEVICE)
    for _ in range(5):
        x = x * 1.5
        print(x, x[x > 0], repr(x.sum(0)))


def graph():
    layer = nn.Linear(128, 128).to(DEVICE)
    x = torch.zeros(16, 128, device=DEVICE)
    stream = torch.cuda.Stream()
    stream.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(stream):
        for _ in range(3):
            layer(x)
    torch.cuda.current_stream().wait_stream(stream)
    captured = torch.cuda.CUDAGraph()
    with torch.cuda.graph(captured):
        y = layer(x)
    for _ in range(5):
        x.copy_(torch.randn(16, 128))
        captured.replay()
    print(float(y.detach().cpu().sum()))


def timed():
    model = convolutional().eval()
    images = torch.randn(32, 1, 28, 28, device=DEVICE)
    times = []
    for _ in range(12):
        torch.cuda.synchronize()
        begin = time.perf_counter()
        model(images)
        torch.cuda.synchronize()
        times.append(time.perf_counter() - begin)
    return min(times)


def profiled():
    layer = nn.Linear(128, 128).to(DEVICE)
    profiler = torch.profiler
    with profiler.profile(
            activities=[profiler.ProfilerActivity.CPU, profiler.ProfilerActivity.CUDA]) as profile:
        for _ in range(4):
            layer(torch.randn(16, 128, device=DEVICE))
    assert any(entry.key == "aten::linear" for entry in profile.key_averages())


def clipped():
    model = nn.Sequential(*[nn.Linear(64, 64) for _ in range(12)], nn.Linear(64, 1)).to(DEVICE)
    optimizer = torch.optim.AdamW(model.parameters())
    for _ in range(12):
        model(torch.randn(16, 64, device=DEVICE)).pow(2).mean().backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        optimizer.zero_grad()


def resumed():
    model = convolutional()
    model(torch.randn(4, 1, 28, 28, device=DEVICE)).sum().backward()
    file = io.BytesIO()
    torch.save(model.state_dict(), file)
    file.seek(0)
    other = convolutional()
    other.load_state_dict(torch.load(file, map_location=DEVICE))
    print(float(other(torch.randn(4, 1, 28, 28, device=DEVICE)).sum()))


def saved_as_last_and_best():
    model = convolutional()
    for _ in range(4):
        with torch.no_grad():
            for parameter in model.parameters():
                parameter.mul_(0.9)
        for file in (io.BytesIO(), io.BytesIO()):
            torch.save(model.state_dict(), file)


def episodes():
    policy = nn.Linear(4, 2).to(DEVICE)
    for length in (12, 30, 12, 12, 25, 17):
        rewards = torch.ones(length).cumsum(0).to(DEVICE)
        (policy(torch.randn(length, 4, device=DEVICE)).sum(1) * rewards).mean().backward()


def averaged_on_the_host():
    devices = [f"cuda:{index}" for index in range(torch.cuda.device_count())]
    replicas = [nn.Linear(64, 64).to(device) for device in devices]
    for _ in range(6):
        for device, replica in zip(devices, replicas):
            replica(torch.randn(8, 64, device=device)).pow(2).mean().backward()
        with torch.no_grad():
            for same in zip(*(replica.parameters() for replica in replicas)):
                mean = torch.stack([parameter.grad.cpu() for parameter in same]).mean(0)
                for parameter in same:
                    parameter -= mean.to(parameter.device)
                    parameter.grad = None


def evaluated_on_another_device():
    model, other = convolutional(), convolutional().to(f"cuda:{torch.cuda.device_count() - 1}")
    images = torch.randn(4, 1, 28, 28)
    for _ in range(4):
        model(images.to(DEVICE)).sum().backward()
        with torch.no_grad():
            for parameter in model.parameters():
                parameter -= parameter.grad
        file = io.BytesIO()
        torch.save(model.state_dict(), file)
        file.seek(0)
        other.load_state_dict(torch.load(file, map_location="cpu"))
        images = images + 1
        other(images.to(next(other.parameters()).device))


def features_kept_on_the_host():
    last = f"cuda:{torch.cuda.device_count() - 1}"
    encoder, head = nn.Linear(64, 64).to(DEVICE), nn.Linear(64, 4).to(last)
    with torch.no_grad():
        kept = [encoder(torch.randn(32, 64, device=DEVICE)).cpu() for _ in range(8)]
        for index in torch.randperm(8).tolist():
            head(kept[index].to(last))


def fields_of_a_batch():
    layer = nn.Linear(55, 1).to(DEVICE)
    for _ in range(10):
        batch = {f"field{width}": torch.randn(16, width) for width in range(1, 11)}
        batch = {name: values.to(DEVICE) for name, values in batch.items()}
        layer(torch.cat(list(batch.values()), 1)).sum().backward()


def token_by_token():
    words, head = nn.Embedding(50, 16).to(DEVICE), nn.Linear(16, 50).to(DEVICE)
    with torch.no_grad():
        tokens = [1]
        for _ in range(12):
            hidden = words(torch.tensor(tokens[-1:]).to(DEVICE))
            tokens.append(int(head(hidden).argmax()))


def models_built_and_loaded():
    saved = convolutional().state_dict()
    for _ in range(5):
        model = nn.Sequential(*[nn.Linear(16, 16) for _ in range(10)]).to(DEVICE)
        model(torch.randn(4, 16, device=DEVICE))
        other = convolutional()
        other.load_state_dict(saved)
        other(torch.randn(4, 1, 28, 28, device=DEVICE))


def one_staging_buffer():
    layer = nn.Linear(1024, 8).to(DEVICE)
    staging = torch.empty(32, 1024, pin_memory=True)
    for _ in range(12):
        staging.copy_(torch.randn(32, 1024))
        layer(staging.to(DEVICE)).sum().backward()


def waited_for_later():
    layer = nn.Linear(1024, 8).to(DEVICE)
    staging = [torch.empty(32, 1024, pin_memory=True) for _ in range(2)]
    for step in range(12):
        staging[step % 2].copy_(torch.randn(32, 1024))
        moved = staging[step % 2].to(DEVICE, non_blocking=True)
        layer(moved).sum().backward()
        torch.cuda.current_stream().synchronize()


def rare_rewards():
    """Most batches of them are all zero, and so equal to the one before."""
    value = nn.Linear(8, 1).to(DEVICE)
    for step in range(60):
        states = torch.randn(32, 8).to(DEVICE)
        rewards = torch.zeros(32)
        if step % 4 == 3:
            rewards[step % 32] = 1
        functional.mse_loss(value(states).squeeze(1), rewards.to(DEVICE)).backward()


def acting():
    """The world is on the host, and has to be told of each action."""
    policy = nn.Linear(4, 3).to(DEVICE)
    world = torch.randn(4)
    with torch.no_grad():
        for _ in range(40):
            scores = policy(world.to(DEVICE)).softmax(0)
            action = torch.distributions.Categorical(scores, validate_args=False).sample()
            world = world.roll(int(action)) + 0.1


def told_one_step_late():
    model = nn.Linear(256, 1).to(DEVICE)
    before, total = None, 0.0
    for _ in range(24):
        loss = model(torch.randn(64, 256, device=DEVICE)).pow(2).mean().detach()
        copy_of_it = loss.to("cpu", non_blocking=True)
        event = torch.cuda.Event()
        event.record()
        if before is not None:
            before[0].synchronize()
            total += before[1].item()
        before = event, copy_of_it


def averaged_and_best():
    """A copy of the weights before the first step, inputs that go by way of the host for the
    backward pass, and the best weights in the end."""
    model = convolutional()
    average = [parameter.detach().cpu() for parameter in model.parameters()]
    best = None
    for epoch in range(4):
        with torch.autograd.graph.save_on_cpu(pin_memory=True):
            loss = model(torch.randn(8, 1, 28, 28).to(DEVICE)).square().mean()
        loss.backward()
        with torch.no_grad():
            for parameter in model.parameters():
                parameter -= 0.01 * parameter.grad
        if epoch == 1:
            best = {name: value.cpu() for name, value in model.state_dict().items()}
        elif epoch == 2:
            for mean, parameter in zip(average, model.parameters()):
                mean.lerp_(parameter.detach().cpu(), 0.1)
    model.load_state_dict(best)


if __name__ == "__main__":
    torch.backends.cudnn.enabled = False
    globals()[sys.argv[1]]()
