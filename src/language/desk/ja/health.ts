import type { health as english } from "../en/health.ts";
import type { TextsOf } from "../texts.ts";

export const health: TextsOf<typeof english> = {
  healthLine: "Till が検出した問題と、動作の状況です。",
  healthGood: "問題はありません",
  healthGoodText: "Till はチェーンを監視中です。対応が必要なことはありません。",
  healthSays: "Till からのメッセージ",
  healthSaysText: "till doctor とログが出力する全文です。",

  mailServer: "メール",
  mailServerText: "請求書、リマインダー、領収書は、設定されたメールサーバーから送信されます。",
  mailServerIs: "メールサーバー",
  mailSender: "送信者",
  mailCatcher: "開発環境のメールは保存されるだけで、送信されません",
  mailTestTo: "テストメールの送信先",
  mailTestSend: "送信",
  mailTestSubject: "Till からのテストメール",
  mailTestBody:
    "Till からのメールが届くことを確認するためのメールです。{shop} の管理画面から送信されました。",
  mailTestFault: "メールサーバーが受け付けませんでした：{reason}",
  mailTestUnknown: "届いたか不明です：{reason}",
  didMailTest:
    "メールサーバーがテストメールを受け付けました。届いたか、迷惑メールに入っていないかをご確認ください。",

  chainPart: "チェーン",
  chainPartText: "Till は、次のノードにこの順番で問い合わせます。",
  chainNetwork: "ネットワーク",
  chainNodes: "ノード",
  chainSocket: "入金の通知",
  chainSocketNone: "WebSocket なし：入金は約 15 秒後に表示されます",
  chainBlock: "最新のブロック",
  chainBlockNone: "まだありません",
  chainBehind: "{block}、{seconds} 秒前から遅延",
  chainUpToDate: "{block}、最新",

  machinePart: "この Till",
  machinePartText:
    "バックアップは別のマシンに保管してください。リカバリーフレーズでは請求書を復元できません。",
  machineVersion: "バージョン",
  machineDatabase: "データベース",
  machineMebibytes: "{size}\u00a0MiB",
  machineBackup: "最新のバックアップ",
  machineBackupNone: "確認できません",
  machineBackupHow: "{command} で作成してください。",
  machineWords: "リカバリーフレーズ",
  machineWordsAt: "控え済み（{when}）",
  machineWordsNone: "未控え",
};
