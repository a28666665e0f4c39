// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Clones} from "@openzeppelin/contracts/proxy/Clones.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {LowLevelCall} from "@openzeppelin/contracts/utils/LowLevelCall.sol";

/// @title A deposit address: whatever arrives here can only go to one payout wallet.
/// @notice Every deposit address is an EIP-1167 clone of this contract. Its only argument, the payout wallet, is
/// part of its code and therefore of its address. There is no owner, no storage, no upgrade and no approval, so
/// there is nothing to take over and nothing that a reentrant call could find half done. Anybody may flush it.
///
/// Before the clone exists its address takes ETH like any other. Afterwards ETH arrives through a delegatecall,
/// which costs more than the 2,300 gas of Solidity's `transfer`: such a payment fails and stays with its sender.
contract Forwarder {
    /// @notice This is the shared implementation, which belongs to nobody and must hold nothing.
    error NotADepositAddress();

    /// @notice The payout wallet is a contract that did not take the ETH. It stays here until it does.
    error PayoutRefused();

    address private immutable self = address(this);

    modifier onlyClone() {
        require(address(this) != self, NotADepositAddress());
        _;
    }

    receive() external payable onlyClone {}

    /// @notice Sends everything this address holds of a token to its payout wallet; nothing when it holds nothing.
    /// @param token An ERC-20 token, or the zero address for ETH.
    function flush(address token) external {
        address to = payoutWallet();
        if (token == address(0)) {
            uint256 amount = address(this).balance;
            // External call: all ETH to the payout wallet, which may run code and call back. It finds nothing left to
            // take, as the balance has left already, and everything it can call pays only payout wallets.
            // The returned data is not copied: a payout wallet could make it long enough to burn the caller's gas.
            if (amount > 0) require(LowLevelCall.callNoReturn(to, amount, ""), PayoutRefused());
        } else {
            // External call, read only: the token says how much there is. A token that lies can only misstate itself.
            uint256 amount = IERC20(token).balanceOf(address(this));
            // External call: the token moves its own balances, to the payout wallet and nowhere else. A token that
            // calls back finds no state half done; one that returns false or reverts makes the flush fail.
            if (amount > 0) SafeERC20.safeTransfer(IERC20(token), to, amount);
        }
    }

    /// @notice The only account that this address ever pays.
    function payoutWallet() public view onlyClone returns (address) {
        // Reads this clone's own code, where the payout wallet stands: no call, and nothing that could change.
        return abi.decode(Clones.fetchCloneArgs(address(this)), (address));
    }
}
