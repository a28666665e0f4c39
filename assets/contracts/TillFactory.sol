// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Clones} from "@openzeppelin/contracts/proxy/Clones.sol";
import {Forwarder} from "./Forwarder.sol";

/// @title Creates deposit addresses and settles many of them at once.
/// @notice It holds nothing, remembers nothing, belongs to nobody and is the same for all installations. Created
/// through the deterministic deployer at 0x4e59b44847b379578588920cA78FbF26c0B4956C it has one address on every
/// EVM chain, and so has every deposit address: what was sent on the wrong chain can be settled there.
contract TillFactory {
    struct Deposit {
        address payoutWallet;
        bytes32 salt;
    }

    /// @notice With this much gas some deposits would fail only because the ones before them used it up.
    error NotEnoughGas(uint256 left, uint256 needed);

    /// @notice What every deposit address delegates to.
    // External creation, once, of code that is known here: the constructor of Forwarder calls nobody.
    address public immutable implementation = address(new Forwarder());

    /// @notice Creates the deposit addresses that have no code yet and flushes all of them.
    /// A flush that fails (a blacklisted address, a payout wallet that takes no ETH) leaves its deposit as it was
    /// and does not touch the others; what arrived is in the token's Transfer logs.
    /// @param token An ERC-20 token, or the zero address for ETH.
    /// @param gasPerDeposit Kept back for each deposit that is still to come, so that one which burns all it gets
    /// cannot starve the next. It is given by the caller because no number in here would outlive a repricing of
    /// the EVM's opcodes. Where it covers a whole deposit, a gas estimate finds no limit at which flushes fail.
    function settle(address token, Deposit[] calldata deposits, uint256 gasPerDeposit) external {
        uint256 kept = deposits.length * gasPerDeposit;
        require(gasleft() >= kept, NotEnoughGas(gasleft(), kept));

        bytes memory flush = abi.encodeCall(Forwarder.flush, (token));
        for (uint256 i = 0; i < deposits.length; ++i) {
            kept -= gasPerDeposit;
            address forwarder = deploy(deposits[i].payoutWallet, deposits[i].salt);
            uint256 left = gasleft();
            // External call: to the clone that was computed or created one line above, so to code of Forwarder that
            // pays only its own payout wallet. What that calls in turn may come back here: there is no state to find.
            // Whether it succeeds makes no difference here, and what it returns is not copied: with ETH that is
            // chosen by the payout wallet, and long enough it would burn the gas of the whole batch.
            assembly ("memory-safe") {
                if gt(left, kept) {
                    pop(call(sub(left, kept), forwarder, 0, add(flush, 0x20), mload(flush), 0, 0))
                }
            }
        }
    }

    /// @notice Creates a deposit address, unless it is there already: anybody may have done it, and as its code
    /// follows from its address it makes no difference who.
    function deploy(address payoutWallet, bytes32 salt) public returns (address forwarder) {
        forwarder = predict(payoutWallet, salt);
        if (forwarder.code.length == 0) {
            // External creation (CREATE2): a clone without a constructor of its own, so none of its code runs here.
            Clones.cloneDeterministicWithImmutableArgs(implementation, abi.encode(payoutWallet), salt);
        }
    }

    /// @notice The deposit address of a payout wallet and a salt, whether it has been created or not.
    function predict(address payoutWallet, bytes32 salt) public view returns (address) {
        return Clones.predictDeterministicAddressWithImmutableArgs(implementation, abi.encode(payoutWallet), salt);
    }
}
