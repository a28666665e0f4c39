import type { links as english } from "../en/links.ts";
import type { TextsOf } from "../texts.ts";

export const links: TextsOf<typeof english> = {
  linkOpen: "受付中",
  linkSeen: "処理中",
  linkPartly: "一部支払い済み",
  linkPaid: "支払い済み",
  linkOverpaid: "過入金",
  linkMarked: "別の方法で支払い済み",
  linkProblem: "お支払いに問題があります",
  linkVoid: "無効",
  linkEnded: "終了",

  linksShow: "表示",
  linksAll: "すべて",
  linksOpen: "受付中",
  linksPaid: "支払い済み",
  linksEnded: "終了",
  linksCounter: "レジ",
  linksMany: "{count}+",
  linksCaption: "支払いリンク（新しい順）",
  linksSearch: "リンクを検索",
  linksSearchHint: "内容、参照番号、アドレス、トランザクション",
  linksLink: "リンク",
  linksState: "状態",
  linksMade: "作成",
  linksPrice: "価格",
  linksReceived: "受取額（USDC）",
  linksNothingYet: "まだありません",
  linksNone: "リンクでお支払いを受け取る",
  linksNoneText:
    "メッセージで送る、QR コードを印刷する、ショップのページに載せるなど、使い方は自由です。開いた人が USDC で 1 回または何度でも支払え、入金はここで確認できます。",
  linksNothingHere: "該当するリンクはありません",
  linksNothingHereText: "ほかのリンクはありますが、この条件のものはありません。",
  linksNothingFound: "見つかりませんでした",
  linksNothingFoundText:
    "内容や参照番号の語句、アドレス全体、トランザクションの先頭部分、リンクの末尾で検索できます。",
  linksShowAll: "すべてのリンクを表示",

  linkOnce: "1 回のみ",
  linkAgain: "何度でも",
  linkOncePart: "リンクからのお支払い",
  linkUntil: "{kind}、{day}まで",
  linkPaidTimes: "{kind} · 支払い済み：{count}",
  linkFrom: "{min}～{max}",
};
