// SPDX-License-Identifier: MIT
pragma solidity ^0.8.26;

import {ECDSA} from "@openzeppelin/contracts/utils/cryptography/ECDSA.sol";
import {SignatureChecker} from "@openzeppelin/contracts/utils/cryptography/SignatureChecker.sol";
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

/// A smart wallet with the form and the hash of Coinbase Smart Wallet: a signature says which owner signed.
contract OwnedWallet is IERC1271 {
    struct Wrapped {
        uint256 ownerIndex;
        bytes signatureData;
    }

    bytes[] private owners;

    constructor(bytes[] memory all) {
        owners = all;
    }

    function isValidSignature(bytes32 hash, bytes calldata signature) external view returns (bytes4) {
        Wrapped memory wrapped = abi.decode(signature, (Wrapped));
        bytes32 domain = keccak256(
            abi.encode(
                keccak256("EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)"),
                keccak256("Coinbase Smart Wallet"),
                keccak256("1"),
                block.chainid,
                address(this)
            )
        );
        bytes32 message = keccak256(abi.encode(keccak256("CoinbaseSmartWalletMessage(bytes32 hash)"), hash));
        address owner = abi.decode(owners[wrapped.ownerIndex], (address));
        bytes32 signed = keccak256(abi.encodePacked(hex"1901", domain, message));
        bool isValid = SignatureChecker.isValidSignatureNow(owner, signed, wrapped.signatureData);
        return isValid ? IERC1271.isValidSignature.selector : bytes4(0);
    }
}

/// Signs everything while it is only tried, and burns all gas when it counts: tries have no gas price.
contract Turncoat is IERC1271 {
    function isValidSignature(bytes32, bytes calldata) external view returns (bytes4) {
        if (tx.gasprice > 0) while (true) {}
        return IERC1271.isValidSignature.selector;
    }
}

/// Makes owned wallets where they will be, the same ones for the same words, as the factory of Coinbase Smart Wallet does.
/// A high nonce burns gas.
contract WalletFactory {
    function createAccount(bytes[] calldata owners, uint256 nonce) external payable returns (address account) {
        bytes32 burnt = bytes32(nonce);
        for (uint256 i = 0; i < nonce; i++) burnt = keccak256(abi.encode(burnt));
        bytes32 code = keccak256(abi.encodePacked(type(OwnedWallet).creationCode, abi.encode(owners)));
        account = address(
            uint160(uint256(keccak256(abi.encodePacked(bytes1(0xff), address(this), bytes32(nonce), code))))
        );
        if (account.code.length == 0) new OwnedWallet{salt: bytes32(nonce)}(owners);
    }

    function createOther(bytes[] calldata owners, uint256 nonce) external returns (address) {
        return this.createAccount(owners, nonce);
    }
}
