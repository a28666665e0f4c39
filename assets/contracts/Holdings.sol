// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

interface Token {
    function balanceOf(address holder) external view returns (uint256);
}

/// @title Tells what many addresses hold, and as of which block.
/// @notice It is never deployed: an eth_call runs its constructor. It returns the number and the time of the block, 8
/// bytes each, the hash of the block before, and 8 bytes for each address: what it holds of the token, with the highest
/// bit set when there is code. All of it is of one block, whichever node answers.
contract Holdings {
    uint256 private constant most = (1 << 62) - 1;

    constructor(Token token, bytes memory holders) {
        uint256 count = holders.length / 20;
        // The last write of 32 bytes reaches beyond the last 8.
        bytes memory told = new bytes(48 + 8 * count + 24);
        uint256 place = (block.number << 192) | (block.timestamp << 128);
        bytes32 parent = block.number == 0 ? bytes32(0) : blockhash(block.number - 1);
        assembly ("memory-safe") {
            mstore(add(told, 0x20), place)
            mstore(add(told, 0x30), parent)
        }
        for (uint256 i = 0; i < count; ++i) {
            address holder;
            assembly ("memory-safe") {
                holder := shr(96, mload(add(add(holders, 0x20), mul(i, 20))))
            }
            // External call: reads a balance, in a simulation that leaves nothing behind.
            uint256 held = token.balanceOf(holder);
            if (held > most) held = most;
            if (holder.code.length != 0) held |= 1 << 63;
            assembly ("memory-safe") {
                mstore(add(add(told, 0x50), mul(i, 8)), shl(192, held))
            }
        }
        assembly ("memory-safe") {
            return(add(told, 0x20), add(48, mul(8, count)))
        }
    }
}
