// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

interface Token {
    function mint(address to, uint256 value) external;
    function transferFrom(address from, address to, uint256 value) external returns (bool);
}

/// @title What Circle's CCTP does to USDC, as far as a payer and Till can see it: burning here, minting there.
/// @notice Stands at the addresses of both of Circle's contracts, messenger and transmitter, so nothing here may depend
/// on a constructor. Messages have the layout of Circle's version 2. What is burnt stays here, as DevUsdc cannot burn.
contract Crossing {
    event MessageSent(bytes message);

    Token private constant USDC = Token(0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913);
    address private constant FEE_RECIPIENT = 0x00000000000000000000000000000000000FEE00;
    uint32 private constant VERSION = 1;
    /// Where the body begins.
    uint256 private constant BODY = 148;

    uint32 public localDomain;
    address public attester;
    mapping(bytes32 nonce => uint256) public usedNonces;

    function place(uint32 domain, address attester_) external {
        localDomain = domain;
        attester = attester_;
    }

    function depositForBurnWithHook(
        uint256 amount,
        uint32 destinationDomain,
        bytes32 mintRecipient,
        address burnToken,
        bytes32 destinationCaller,
        uint256 maxFee,
        uint32 minFinalityThreshold,
        bytes calldata hookData
    ) external {
        require(hookData.length > 0, "no hook");
        require(mintRecipient != 0, "no recipient");
        require(maxFee < amount, "the fee is all of it");
        require(destinationDomain != localDomain, "the same chain");
        require(burnToken == address(USDC), "another token");
        require(USDC.transferFrom(msg.sender, address(this), amount), "no money");
        bytes memory body = abi.encodePacked(
            VERSION,
            bytes32(uint256(uint160(burnToken))),
            mintRecipient,
            amount,
            bytes32(uint256(uint160(msg.sender))),
            maxFee,
            uint256(0),
            uint256(0),
            hookData
        );
        bytes32 self = bytes32(uint256(uint160(address(this))));
        bytes memory head = abi.encodePacked(VERSION, localDomain, destinationDomain, bytes32(0), self, self);
        emit MessageSent(
            bytes.concat(head, abi.encodePacked(destinationCaller, minFinalityThreshold, uint32(0)), body)
        );
    }

    function receiveMessage(bytes calldata message, bytes calldata attestation) external returns (bool) {
        require(attestation.length == 65, "no signature");
        bytes32 r = bytes32(attestation[:32]);
        bytes32 s = bytes32(attestation[32:64]);
        require(ecrecover(keccak256(message), uint8(attestation[64]), r, s) == attester, "not attested");
        require(uint32(bytes4(message[8:12])) == localDomain, "for another chain");
        bytes32 nonce = bytes32(message[12:44]);
        require(usedNonces[nonce] == 0, "Nonce already used");
        usedNonces[nonce] = 1;
        bytes calldata body = message[BODY:];
        uint256 amount = uint256(bytes32(body[68:100]));
        uint256 fee = uint256(bytes32(body[164:196]));
        uint256 expiresAt = uint256(bytes32(body[196:228]));
        require(expiresAt == 0 || expiresAt > block.number, "expired");
        require(fee <= uint256(bytes32(body[132:164])), "the fee is above the most");
        USDC.mint(address(uint160(uint256(bytes32(body[36:68])))), amount - fee);
        if (fee > 0) USDC.mint(FEE_RECIPIENT, fee);
        return true;
    }
}
