#!/bin/sh
cat > notes.txt <<'EOF'
# servelint: ignore[SGL-2026-0001, SGL-2026-0002] what this is
EOF

sglang serve /models/m --disaggregation-mode decode
