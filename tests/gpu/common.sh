# Functions that stages share. Sourced by them.
dry_run() { [[ ${XFER_GPU_DRY_RUN:-0} == 1 ]]; }
torch_sees_gpu() {
  python3 -c 'import sys, torch; sys.exit(not torch.cuda.is_available())' 2>/dev/null
}
