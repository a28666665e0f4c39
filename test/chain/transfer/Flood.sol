// SPDX-License-Identifier: MIT
pragma solidity ^0.8.26;

interface IToken {
    function transfer(address to, uint256 value) external returns (bool);
}

/// Anybody's way to send the same amount to the same address very often in one transaction.
contract Flood {
    function send(IToken token, address to, uint256 value, uint256 times) external {
        for (uint256 i = 0; i < times; ++i) token.transfer(to, value);
    }
}
