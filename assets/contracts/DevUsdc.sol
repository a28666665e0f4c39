// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";
import {ERC3009} from "@openzeppelin/contracts/token/ERC20/extensions/draft-ERC3009.sol";
import {IERC20Permit} from "@openzeppelin/contracts/token/ERC20/extensions/IERC20Permit.sol";
import {ECDSA} from "@openzeppelin/contracts/utils/cryptography/ECDSA.sol";
import {EIP712} from "@openzeppelin/contracts/utils/cryptography/EIP712.sol";
import {MessageHashUtils} from "@openzeppelin/contracts/utils/cryptography/MessageHashUtils.sol";
import {SignatureChecker} from "@openzeppelin/contracts/utils/cryptography/SignatureChecker.sol";
import {Nonces} from "@openzeppelin/contracts/utils/Nonces.sol";

/// @title USDC for a development chain: worthless, and anybody may mint, blacklist or pause.
/// @notice It behaves like the USDC of Base where Till depends on it: 6 decimals, EIP-712 domain ("USD Coin", "2"),
/// EIP-2612 permits, EIP-3009 authorisations, of accounts with code by ERC-1271, a blacklist, a pause. Its code is put at an address without running the
/// constructor, so nothing here may depend on state or immutables that a constructor would have set.
contract DevUsdc is ERC20, ERC3009, Nonces, IERC20Permit {
    event Blacklisted(address indexed account);
    event UnBlacklisted(address indexed account);
    event Pause();
    event Unpause();

    error AccountBlacklisted(address account);
    error Paused();
    error PermitExpired(uint256 deadline);
    error PermitSignerInvalid(address signer, address owner);

    string private constant NAME = "USD Coin";
    string private constant VERSION = "2";
    bytes32 private constant DOMAIN_TYPE_HASH =
        keccak256("EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)");
    bytes32 private constant PERMIT_TYPE_HASH =
        keccak256("Permit(address owner,address spender,uint256 value,uint256 nonce,uint256 deadline)");

    mapping(address account => bool) public isBlacklisted;
    bool public paused;

    // Required by the parents and without effect on the code that is placed: see the overrides below.
    constructor() ERC20("", "") EIP712("", "") {}

    function name() public pure override returns (string memory) {
        return NAME;
    }

    function symbol() public pure override returns (string memory) {
        return "USDC";
    }

    function decimals() public pure override returns (uint8) {
        return 6;
    }

    function version() external pure returns (string memory) {
        return VERSION;
    }

    function mint(address to, uint256 value) external {
        _mint(to, value);
    }

    function blacklist(address account) external {
        isBlacklisted[account] = true;
        emit Blacklisted(account);
    }

    function unBlacklist(address account) external {
        isBlacklisted[account] = false;
        emit UnBlacklisted(account);
    }

    function pause() external {
        paused = true;
        emit Pause();
    }

    function unpause() external {
        paused = false;
        emit Unpause();
    }

    /// @notice As in FiatTokenV2_2: the signature of an account with code is for that code to judge, and of any other
    /// account it is 65 bytes of r, s and v.
    function transferWithAuthorization(
        address from,
        address to,
        uint256 value,
        uint256 validAfter,
        uint256 validBefore,
        bytes32 nonce,
        bytes memory signature
    ) external {
        bytes32 digest = _hashTypedDataV4(
            keccak256(abi.encode(TRANSFER_WITH_AUTHORIZATION_TYPEHASH, from, to, value, validAfter, validBefore, nonce))
        );
        require(SignatureChecker.isValidSignatureNow(from, digest, signature), ERC3009InvalidSignature());
        _transferWithAuthorization(from, to, value, validAfter, validBefore, nonce);
    }

    /// @inheritdoc IERC20Permit
    function permit(
        address owner,
        address spender,
        uint256 value,
        uint256 deadline,
        uint8 v,
        bytes32 r,
        bytes32 s
    ) external {
        require(block.timestamp <= deadline, PermitExpired(deadline));
        bytes32 digest = _hashTypedDataV4(
            keccak256(abi.encode(PERMIT_TYPE_HASH, owner, spender, value, _useNonce(owner), deadline))
        );
        address signer = ECDSA.recover(digest, v, r, s);
        require(signer == owner, PermitSignerInvalid(signer, owner));
        _approve(owner, spender, value);
    }

    function nonces(address owner) public view override(IERC20Permit, Nonces) returns (uint256) {
        return super.nonces(owner);
    }

    /// @inheritdoc IERC20Permit
    // solhint-disable-next-line func-name-mixedcase
    function DOMAIN_SEPARATOR() public view returns (bytes32) {
        return
            keccak256(
                abi.encode(
                    DOMAIN_TYPE_HASH,
                    keccak256(bytes(NAME)),
                    keccak256(bytes(VERSION)),
                    block.chainid,
                    address(this)
                )
            );
    }

    function eip712Domain()
        public
        view
        override
        returns (bytes1, string memory, string memory, uint256, address, bytes32, uint256[] memory)
    {
        // EIP-5267: 0x0f says that the first four fields are in use.
        return (hex"0f", NAME, VERSION, block.chainid, address(this), bytes32(0), new uint256[](0));
    }

    function _hashTypedDataV4(bytes32 structHash) internal view override returns (bytes32) {
        return MessageHashUtils.toTypedDataHash(DOMAIN_SEPARATOR(), structHash);
    }

    function _update(address from, address to, uint256 value) internal override {
        require(!paused, Paused());
        require(!isBlacklisted[from], AccountBlacklisted(from));
        require(!isBlacklisted[to], AccountBlacklisted(to));
        super._update(from, to, value);
    }
}
