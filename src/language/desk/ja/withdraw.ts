import type { withdrawal as english } from "../en/withdraw.ts";
import type { TextsOf } from "../texts.ts";

export const withdrawal: TextsOf<typeof english> = {
  withdrawLine: "Till のウォレットから、許可済みのアドレスへ送ります。",
  withdrawFrom: "出金元",
  withdrawAmount: "金額",
  withdrawAtMost: "最大 {amount}",
  withdrawAll: "全額",
  withdrawTo: "出金先",
  neverUsed: "未使用",
  addressLastUsed: "最終利用：{when}",
  allowedHow:
    "アドレスは、サーバー上で {command} を実行して許可します。この管理画面に侵入されても、資金の送り先はあなたのアドレスだけです。",
  goOn: "続ける",
  cancel: "キャンセル",
  noneAllowed: "先にアドレスを許可してください",
  noneAllowedText:
    "Till のウォレットからの出金先は、サーバー上で許可したアドレスだけです。サーバーで、ご自身のアドレスを指定して次を実行してください。",
  noneAllowedThen: "その後、このページに戻ってください。",
  walletEmpty: "出金できる資金はありません",
  walletEmptyText: "Till のウォレットに USDC がありません。入金は振替後にここに届きます。",
  isUnderWay: "このウォレットからの出金を処理中です。次の出金は、完了後に始められます。",
  showIt: "表示",
  moreWallets:
    "ウォレットが多いため、一部のみ表示しています。ほかのウォレットには {command} をお使いください。",

  withdrawFaultAmount:
    "750.00 のように USDC の金額を入力してください。小数は 2 桁まで、ほかの文字は使えません。",
  withdrawFaultTooMuch: "このウォレットの残高は {amount} USDC です。",
  withdrawFaultNothing: "このウォレットは空です。",
  withdrawFaultTo: "アドレスを選んでください。許可済みのアドレスだけが使えます。",
  withdrawFaultFrom: "ウォレットを選んでください。",
  withdrawFaultPlan: "出金できません。{reason}",
  withdrawFaultGas:
    "ガス代アカウントの残高が手数料に足りません。{eth} ETH 以上を補充してから、もう一度お試しください。",
  withdrawFaultBegin: "出金されていません。{reason}",
  withdrawFaultForm:
    "ページを開いてから時間が経ちすぎました。出金されていません。最初からやり直してください。",

  confirmTitle: "{amount} USDC を出金しますか？",
  confirmLine: "{network} での送金は取り消せません。アドレスをご自身のウォレットと照合してください。",
  confirmTo: "出金先：{name}",
  confirmReceives: "受取額",
  confirmFee: "手数料（ガス代アカウントから）",
  confirmFeeAbout: "約 {eth} ETH",
  confirmFeeMost: "最大 {eth} ETH",
  confirmLeft: "Till のウォレットの残高",
  confirmBack: "戻る",
  confirmButton: "出金する",
  confirmWithPasskey: "パスキーで確認",

  oneWithdrawal: "出金",
  stateBegun: "準備中",
  stateSent: "処理中",
  stateDone: "出金済み",
  stateFailed: "出金されず",
  begunText: "Till が記録してから送金します。このページを閉じても処理は続きます。",
  sentText: "チェーンに送信しました。このページを閉じても処理は続きます。",
  doneText: "資金が届きました。",
  failedExpired: "有効な 1 時間以内にチェーンに取り込まれませんでした。資金は移動していません。",
  failedCancelled:
    "リカバリーフレーズを持つ人が取り消しました。資金は移動していません。心当たりがない場合は、すぐに資金を別のウォレットに移してください。",
  failedReplaced:
    "リカバリーフレーズを持つ人が、同じ番号を別の送金に使いました。心当たりがない場合は、すぐに資金を別のウォレットに移してください。",
  waitsFor: "待機中です。{reason}",
  happensBefore: "{when}までに実行されない場合は、中止されます。",
  ofCommandLine: "コマンドラインで開始された出金です。{command} で続行できます。",
  withdrawnFrom: "出金元",
  withdrawnBegun: "開始",
  withdrawnWith: "トランザクション",
  didWithdraw: "出金を開始しました。",
};
