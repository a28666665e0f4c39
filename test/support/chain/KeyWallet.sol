// SPDX-License-Identifier: MIT
pragma solidity ^0.8.26;

import {ECDSA} from "@openzeppelin/contracts/utils/cryptography/ECDSA.sol";
import {IERC1271} from "@openzeppelin/contracts/interfaces/IERC1271.sol";

/// A smart wallet of one key (ERC-1271). It can be made to burn gas, or to change its mind.
contract KeyWallet is IERC1271 {
    address private immutable KEY;
    uint256 public rounds;
    bool public isClosed;

    constructor(address key) {
        KEY = key;
    }

    function setRounds(uint256 count) external {
        rounds = count;
    }

    function close() external {
        isClosed = true;
    }

    function isValidSignature(bytes32 hash, bytes calldata signature) external view returns (bytes4) {
        bytes32 burnt = hash;
        for (uint256 i = 0; i < rounds; i++) burnt = keccak256(abi.encode(burnt));
        require(burnt != 0 && !isClosed);
        return ECDSA.recover(hash, signature) == KEY ? IERC1271.isValidSignature.selector : bytes4(0);
    }
}

/// Makes such wallets where they will be, the same ones for the same words, as the factory of Coinbase Smart Wallet does.
/// A high nonce burns gas.
contract WalletFactory {
    function createAccount(bytes[] calldata owners, uint256 nonce) external payable returns (address account) {
        address key = abi.decode(owners[0], (address));
        bytes32 burnt = bytes32(nonce);
        for (uint256 i = 0; i < nonce; i++) burnt = keccak256(abi.encode(burnt));
        bytes32 code = keccak256(abi.encodePacked(type(KeyWallet).creationCode, abi.encode(key)));
        account = address(
            uint160(uint256(keccak256(abi.encodePacked(bytes1(0xff), address(this), bytes32(nonce), code))))
        );
        if (account.code.length == 0) new KeyWallet{salt: bytes32(nonce)}(key);
    }

    function createOther(bytes[] calldata owners, uint256 nonce) external returns (address) {
        return this.createAccount(owners, nonce);
    }
}
