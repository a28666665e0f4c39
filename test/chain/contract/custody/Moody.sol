// SPDX-License-Identifier: MIT
pragma solidity ^0.8.26;

/// Makes the calls that it was told to make: when somebody asks, or in the middle of being paid.
abstract contract Meddler {
    address[] private targets;
    bytes[] private inputs;
    uint256 private depth;

    function plan(address target, bytes calldata input) external {
        targets.push(target);
        inputs.push(input);
    }

    function act() public {
        if (depth == 2) return;
        depth += 1;
        for (uint256 i = 0; i < targets.length; ++i) {
            address target = targets[i];
            bytes memory input = inputs[i];
            assembly {
                pop(call(div(gas(), 2), target, 0, add(input, 0x20), mload(input), 0, 0))
            }
        }
        depth -= 1;
    }

    function burn() internal pure {
        assembly {
            invalid()
        }
    }

    /// So much data, after a first word, that the gas is just enough for two to copy it: with 15 million, a megabyte.
    function bomb(uint256 first, bool isError) internal view {
        uint256 words = 1;
        for (uint256 next = 1; 3 * next + (next * next) / 512 < (gasleft() * 5) / 16; next += next / 8 + 1) words = next;
        assembly {
            mstore(0, first)
            if isError {
                revert(0, mul(words, 32))
            }
            return(0, mul(words, 32))
        }
    }
}

/// A token whose books are right, whatever its mood has it say and do.
contract MoodyToken is Meddler {
    enum Mood {
        Honest,
        Reentering,
        ReenteringFirst,
        Silent,
        SilentUnmoved,
        False,
        FalseMoved,
        Unmoved,
        Two,
        Reverting,
        Boasting,
        Modest,
        Taxing,
        Blocking,
        Burning,
        BurningBalance,
        Bomb,
        ErrorBomb,
        BalanceBomb,
        BalanceErrorBomb,
        ShortBalance
    }

    Mood public mood;
    mapping(address => uint256) public held;
    /// What it kept of transfers from somebody.
    mapping(address => uint256) public taxed;

    function setMood(uint256 to) external {
        mood = Mood(to % (uint256(type(Mood).max) + 1));
    }

    function mint(address to, uint256 value) external {
        held[to] += value;
    }

    function balanceOf(address holder) external view returns (uint256) {
        if (mood == Mood.BurningBalance) burn();
        if (mood == Mood.BalanceBomb) bomb(held[holder], false);
        if (mood == Mood.BalanceErrorBomb) bomb(0, true);
        if (mood == Mood.ShortBalance) {
            assembly {
                return(0, 16)
            }
        }
        if (mood == Mood.Boasting) return held[holder] * 2 + 1;
        return mood == Mood.Modest ? held[holder] / 2 : held[holder];
    }

    function transfer(address to, uint256 value) external returns (bool) {
        require(mood != Mood.Reverting, "in a bad mood");
        if (mood == Mood.Blocking) require((uint160(to) | uint160(msg.sender)) & 1 == 0, "blocked");
        if (mood == Mood.Burning) burn();
        if (mood == Mood.ErrorBomb) bomb(0, true);
        if (mood == Mood.False) return false;
        if (mood == Mood.Unmoved) return true;
        if (mood == Mood.ReenteringFirst) act();
        if (mood != Mood.SilentUnmoved) move(to, value);
        if (mood == Mood.Reentering) act();
        if (mood == Mood.Bomb) bomb(1, false);
        if (mood == Mood.Silent || mood == Mood.SilentUnmoved) {
            assembly {
                return(0, 0)
            }
        }
        if (mood == Mood.Two) {
            assembly {
                mstore(0, 2)
                return(0, 32)
            }
        }
        return mood != Mood.FalseMoved;
    }

    function move(address to, uint256 value) private {
        if (value > held[msg.sender]) value = held[msg.sender];
        uint256 tax = mood == Mood.Taxing ? value / 10 : 0;
        held[msg.sender] -= value;
        held[to] += value - tax;
        taxed[msg.sender] += tax;
    }
}

/// A payout wallet that takes ETH as its mood is.
contract MoodyWallet is Meddler {
    enum Mood {
        Taking,
        Reentering,
        Refusing,
        Burning,
        Bomb,
        ErrorBomb,
        Returning,
        Forcing
    }

    Mood public mood;

    function setMood(uint256 to) external {
        mood = Mood(to % (uint256(type(Mood).max) + 1));
    }

    receive() external payable {
        require(mood != Mood.Refusing, "in a bad mood");
        if (mood == Mood.Burning) burn();
        if (mood == Mood.Bomb) bomb(0, false);
        if (mood == Mood.ErrorBomb) bomb(0, true);
        if (mood == Mood.Reentering) act();
        if (mood == Mood.Returning) {
            (bool isTaken, ) = msg.sender.call{value: msg.value / 2}("");
            isTaken;
        }
        if (mood == Mood.Forcing) {
            // PUSH20 sender, SELFDESTRUCT: nobody can refuse this.
            uint256 half = msg.value / 2;
            bytes memory code = abi.encodePacked(hex"73", msg.sender, hex"ff");
            assembly {
                pop(create(half, add(code, 0x20), mload(code)))
            }
        }
    }
}
