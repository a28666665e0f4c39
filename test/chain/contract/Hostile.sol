// SPDX-License-Identifier: MIT
pragma solidity ^0.8.26;

import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";

interface IForwarder {
    function flush(address token) external;
}

/// An ERC-20 token whose `transfer` returns nothing, as old ones do.
contract SilentToken {
    mapping(address => uint256) public balanceOf;

    function mint(address to, uint256 value) external {
        balanceOf[to] += value;
    }

    function transfer(address to, uint256 value) external {
        balanceOf[msg.sender] -= value;
        balanceOf[to] += value;
    }
}

/// A token that keeps a tenth of each transfer.
contract FeeToken is ERC20("Fee", "FEE") {
    function mint(address to, uint256 value) external {
        _mint(to, value);
    }

    function transfer(address to, uint256 value) public override returns (bool) {
        _transfer(msg.sender, address(this), value / 10);
        return super.transfer(to, value - value / 10);
    }
}

/// An ERC-20 token that answers `false` instead of reverting.
contract FalseToken {
    function balanceOf(address) external pure returns (uint256) {
        return 1;
    }

    function transfer(address, uint256) external pure returns (bool) {
        return false;
    }
}

/// A token that calls the forwarder again in the middle of each of its transfers.
contract ReenteringToken is ERC20("Reentering", "RE") {
    function mint(address to, uint256 value) external {
        _mint(to, value);
    }

    function _update(address from, address to, uint256 value) internal override {
        super._update(from, to, value);
        if (from.code.length > 0) IForwarder(from).flush(address(this));
    }
}

/// A payout wallet that takes no ETH.
contract RefusingWallet {}

/// A payout wallet that burns all the gas it gets.
contract BurningWallet {
    receive() external payable {
        assembly {
            invalid()
        }
    }
}

/// A payout wallet that reverts with as much data as its gas can pay for.
contract BombWallet {
    receive() external payable {
        assembly {
            revert(0, 1000000)
        }
    }
}

/// A payout wallet that calls the forwarder again when it is paid.
contract ReenteringWallet {
    uint256 public payments;

    receive() external payable {
        payments += 1;
        IForwarder(msg.sender).flush(address(0));
    }
}
