// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

interface Token {
    function balanceOf(address holder) external view returns (uint256);
}

/// @title Finds out which of many deposit addresses ever received money.
/// @notice It is never deployed: an eth_call runs its constructor and returns a byte for each address, group after
/// group, all payout wallets for the first salt, then for the second. One is an address with code or a balance.
contract TraceFinder {
    struct Group {
        // Keccak-256 of the creation code of each payout wallet's clone.
        bytes32[] codeHashes;
        bytes32[] salts;
    }

    constructor(Token token, address factory, uint256 count, Group[] memory groups) {
        bytes memory traces = new bytes(count);
        uint256 next = 0;
        for (uint256 g = 0; g < groups.length; ++g) {
            Group memory group = groups[g];
            for (uint256 i = 0; i < group.salts.length; ++i) {
                for (uint256 j = 0; j < group.codeHashes.length; ++j) {
                    bytes32 hash = keccak256(
                        abi.encodePacked(bytes1(0xff), factory, group.salts[i], group.codeHashes[j])
                    );
                    address deposit = address(uint160(uint256(hash)));
                    // External call: reads a balance, in a simulation that leaves nothing behind.
                    if (deposit.code.length != 0 || token.balanceOf(deposit) != 0) traces[next] = 0x01;
                    ++next;
                }
            }
        }
        assembly ("memory-safe") {
            return(add(traces, 0x20), mload(traces))
        }
    }
}
