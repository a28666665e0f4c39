// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @title Many calls in one, with the interface of the Multicall3 at 0xcA11bde05977b3631167028862bE2a173976CA11.
/// @notice For development chains, which lack the real one. What viem and Till use of it is here.
contract Multicall3 {
    struct Call {
        address target;
        bytes callData;
    }

    struct Call3 {
        address target;
        bool allowFailure;
        bytes callData;
    }

    struct Result {
        bool success;
        bytes returnData;
    }

    error CallFailed(uint256 index);

    function aggregate3(Call3[] calldata calls) external payable returns (Result[] memory results) {
        results = new Result[](calls.length);
        for (uint256 i = 0; i < calls.length; ++i) {
            results[i] = _call(i, calls[i].target, calls[i].callData, calls[i].allowFailure);
        }
    }

    function tryAggregate(
        bool requireSuccess,
        Call[] calldata calls
    ) external payable returns (Result[] memory results) {
        results = new Result[](calls.length);
        for (uint256 i = 0; i < calls.length; ++i) {
            results[i] = _call(i, calls[i].target, calls[i].callData, !requireSuccess);
        }
    }

    function aggregate(
        Call[] calldata calls
    ) external payable returns (uint256 blockNumber, bytes[] memory returnData) {
        blockNumber = block.number;
        returnData = new bytes[](calls.length);
        for (uint256 i = 0; i < calls.length; ++i) {
            returnData[i] = _call(i, calls[i].target, calls[i].callData, false).returnData;
        }
    }

    function getBlockNumber() external view returns (uint256) {
        return block.number;
    }

    function getBlockHash(uint256 blockNumber) external view returns (bytes32) {
        return blockhash(blockNumber);
    }

    function getCurrentBlockTimestamp() external view returns (uint256) {
        return block.timestamp;
    }

    function getChainId() external view returns (uint256) {
        return block.chainid;
    }

    function getEthBalance(address account) external view returns (uint256) {
        return account.balance;
    }

    function _call(
        uint256 index,
        address target,
        bytes calldata data,
        bool allowFailure
    ) private returns (Result memory result) {
        (result.success, result.returnData) = target.call(data);
        require(result.success || allowFailure, CallFailed(index));
    }
}
