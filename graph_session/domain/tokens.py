"""The one token estimator: `script_estimate`.

No tokeniser of the models used here can be had offline, so tokens are estimated from the script a character belongs to.
The weights follow what byte-pair encodings do on average: about four Latin letters a token, fewer for other alphabets,
about one token for each Chinese, Japanese or Korean character, and more for emoji. It errs on the high side, because a
context that is larger than planned is worse than one that is smaller.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from graph_session.domain.content import Block, ImageBlock, TextBlock, ThinkingBlock, ToolCallBlock, UnknownBlock

MESSAGE_OVERHEAD = 4
IMAGE_TOKENS = 1600
_CJK = re.compile(
    "[\u1100-\u11ff\u2e80-\ua4cf\uac00-\ud7ff\uf900-\ufaff\ufe30-\ufe4f\uff00-\uffef\U00020000-\U0003ffff]"
)
_ASTRAL = re.compile("[\U00010000-\U0001ffff]")
_ASCII = re.compile("[\x00-\x7f]")


def script_estimate(text: str) -> int:
    """Tokens of a text: ASCII 1 per 4 characters, Chinese/Japanese/Korean 1 each, emoji 2 each, others 1 per 2."""
    if text.isascii():
        return -(-len(text) // 4)
    ascii_count = len(_ASCII.findall(text))
    cjk = len(_CJK.findall(text))
    astral = len(_ASTRAL.findall(text))
    other = len(text) - ascii_count - cjk - astral
    return -(-(ascii_count + 4 * cjk + 8 * astral + 2 * other) // 4)


def block_tokens(block: Block) -> int:
    """Tokens of one block; an image counts as `IMAGE_TOKENS`, an unknown block as none since it is not sent."""
    match block:
        case TextBlock():
            return script_estimate(block.text)
        case ThinkingBlock():
            return script_estimate(block.thinking)
        case ImageBlock():
            return IMAGE_TOKENS
        case ToolCallBlock():
            return script_estimate(block.name) + script_estimate(str(dict(block.arguments)))
        case UnknownBlock():
            return 0


def message_tokens(blocks: Sequence[Block]) -> int:
    """Tokens of one message, its role included."""
    return MESSAGE_OVERHEAD + sum(block_tokens(block) for block in blocks)
