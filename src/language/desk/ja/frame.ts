import type { frame as english } from "../en/frame.ts";
import type { TextsOf } from "../texts.ts";

export const frame: TextsOf<typeof english> = {
  desk: "管理画面",
  skipToContent: "本文へ移動",
  navHome: "ホーム",
  navInvoices: "請求書",
  navLinks: "リンク",
  navCounter: "レジ",
  navMoney: "資金",
  navCustomers: "取引先",
  navSettings: "設定",
  navMore: "その他",
  openCount: "未払い {count} 件",
  search: "検索",
  signOut: "サインアウト",
  roleOwner: "オーナー",
  roleStaff: "スタッフ",
  roleAccountant: "経理担当",
  development: "開発環境：テスト用の資金のみ",

  watchCurrent: "{network} を監視中（最新）",
  watchLate: "入金の表示が遅れています",
  watchStarting: "起動中",

  refused: "許可されていません",
  refusedRole: "あなたの権限ではできません。オーナーにご相談ください。",
  refusedForeign: "管理画面以外から送信されたフォームです。何も変更されていません。",
  refusedStale:
    "ページを開いてから時間が経ちすぎました。何も変更されていません。前のページに戻って再読み込みし、もう一度お試しください。",
  backToHome: "ホームに戻る",
  deskNotFound: "見つかりません",
  deskNotFoundText: "この URL には何もありません。入力に誤りがないかご確認ください。",

  undo: "元に戻す",
  optional: "（任意）",
  faultsOne: "修正が必要な項目があります",
  faultsMany: "修正が必要な項目：{count} 件",
  copyIt: "コピー",
  isCopied: "コピー済み",
  isNotCopied: "コピー失敗",
  nextPage: "次へ",
  pages: "ページ",
  today: "今日",
  yesterday: "昨日",
  todayAt: "今日 {time}",
  yesterdayAt: "昨日 {time}",
};
