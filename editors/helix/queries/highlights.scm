; For ~/.config/helix/runtime/queries/recycle/highlights.scm
; inherits: scheme
