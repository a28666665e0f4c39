import type { attention as english } from "../en/attention.ts";
import type { TextsOf } from "../texts.ts";

export const attention: TextsOf<typeof english> = {
  storageBad: "データを保存できません",
  storageBadText:
    "データベースまたはディスクに問題があります。お支払いはチェーン上に残っており、復旧すると表示されます。",
  checkRuns: "データベースを確認しています",
  checkRunsText: "起動のたびに行う確認です。閲覧はできますが、終わるまで変更はできません。",
  chainLate: "入金の表示が遅れています",
  chainLateText: "現在、チェーンを読み取れません。失われるものはなく、ノードが応答しだい入金が表示されます。",
  gasEmpty: "ガス代アカウントが空です",
  gasEmptyText: "{network} の ETH を少額補充するまで、振替も出金もできません。",
  gasLow: "ガス代アカウントの残高がわずかです",
  gasLowText: "振替できる回数の目安：{count} 回。{network} の ETH を少額補充してください。",
  moneyStuck: "移動できない資金があります",
  moneyStuckText:
    "入金の件数：{count}。資金は残っており、Till が移動を続けて試みます。理由をご確認ください。",
  wordsMissing: "リカバリーフレーズが控えられていません",
  wordsMissingText: "控えがないままサーバーが壊れると、ウォレットも失われます。",
  paymentOdd: "確認が必要な入金があります",
  paymentOddText:
    "ノードの情報が食い違っているか、資金の所在が帳簿と一致しません。発送の前にご確認ください。",
  mailMissing: "メールサーバーが設定されていません",
  mailMissingText:
    "請求書とリマインダーは 2 日間送信を待ち、その後は破棄されます。リンクはメールなしで使えます。",
  mailFails: "メールを送信できません",
  mailsWait: "送信待ちのメール：{count} 件。Till は 2 日間送信を試みます。メールサーバーの応答：{reason}",
  mailsGivenUp: "送信を断念したメール：{count} 件。メールサーバーの応答：{reason}",
  mailsUnknown: "届いたか不明なメール：{count} 件。メールサーバーの応答：{reason}",
  webhookFails: "Webhook が受信されていません",
  webhookFailsText: "直近 1 週間：{count} 件。Till が再送を試みます。断念した分も、もう一度送信できます。",
  invoicesOverdue: "期限超過の請求書：{count} 件",
  invoicesOverdueText: "{amount} USDC、最も古い期限は{day}。",

  showHealth: "状態を見る",
  showGasAddress: "アドレスを見る",
  showStuck: "理由を見る",
  showWords: "手順を見る",
  setUpMail: "設定する",
  showMails: "メールを見る",
  showWebhooks: "Webhook を見る",
  attentionRemind: "催促する",
};
