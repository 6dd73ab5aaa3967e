"""The backend that compiles by LLVM: this package alone knows of it and of llvmlite."""
