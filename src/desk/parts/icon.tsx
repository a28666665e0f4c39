const paths = {
  home: "M4 10.5L12 4l8 6.5V20h-5.5v-5.5h-5V20H4z",
  invoice: "M6 3.5h12v17l-3-2-3 2-3-2-3 2zM9.5 8.5h5M9.5 12.5h5",
  link: "M10 14a4 4 0 0 0 5.7 0l3-3A4 4 0 0 0 13 5.3l-1 1M14 10a4 4 0 0 0-5.7 0l-3 3A4 4 0 0 0 11 18.7l1-1",
  counter: "M5 4h14v16H5zM8.5 8h7M8.5 12.5h.01M12 12.5h.01M15.5 12.5h.01M8.5 16h.01M12 16h.01M15.5 16h.01",
  money: "M4 7.5V18a1.5 1.5 0 0 0 1.5 1.5H20v-11H5.5A1.5 1.5 0 0 1 5.5 5h12v3.5M16 14h.01",
  people:
    "M9 11.5a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7zM3 19.5c.5-3 2.8-5 6-5s5.5 2 6 5M15.5 4.8a3.5 3.5 0 0 1 0 6.4M18 14.9c1.7.8 2.7 2.4 3 4.6",
  settings: "M4 7h9M17 7h3M15 5v4M4 12h3M11 12h9M9 10v4M4 17h7M15 17h5M13 15v4",
  search: "M16 16l4 4M18 11a7 7 0 1 1-14 0 7 7 0 0 1 14 0z",
  more: "M6 12h.01M12 12h.01M18 12h.01",
  back: "M14.5 6l-6 6 6 6",
  forth: "M9.5 6l6 6-6 6",
  drop: "M12 3.5c3.5 4.2 5.5 7 5.5 10a5.5 5.5 0 0 1-11 0c0-3 2-5.8 5.5-10z",
  bell: "M6 16.5V11a6 6 0 0 1 12 0v5.5l1.5 2h-15zM10 20.5h4",
  words: "M5 4h14v16H5zM8.5 8.5h7M8.5 12h7M8.5 15.5h4",
  mail: "M4 6h16v12H4zM4 7l8 6 8-6",
  alert:
    "M12 8v5m0 3.5v.01M10.3 4.2L2.6 17.5A2 2 0 0 0 4.3 20.5h15.4a2 2 0 0 0 1.7-3L13.7 4.2a2 2 0 0 0-3.4 0z",
  hook: "M9.5 9.5a3.5 3.5 0 1 1 4.6 1.2l2.4 4.3M7.6 12.7a3.5 3.5 0 1 0 3.4 5.3h5.2M16.5 15a3 3 0 1 1-.5 5",
  key: "M14.5 13.5a4.5 4.5 0 1 0-4.3-3L4 16.7V20h3.3v-2.5h2.4v-2.4l1.5-1.5M15.5 8.5h.01",
  check: "M5 12.5l4.5 4.5L19 7.5",
  cross: "M6.5 6.5l11 11M17.5 6.5l-11 11",
  plus: "M12 5v14M5 12h14",
  down: "M12 4v11m-4.5-4.5L12 15l4.5-4.5",
  download: "M12 4v11m-4.5-4.5L12 15l4.5-4.5M5 20h14",
  eye: "M2.5 12S6 5.5 12 5.5 21.5 12 21.5 12 18 18.5 12 18.5 2.5 12 2.5 12zM12 15a3 3 0 1 0 0-6 3 3 0 0 0 0 6z",
  note: "M4.5 5h15v11h-8l-4 3.5V16h-3z",
  clock: "M12 7v5l3 2M21 12a9 9 0 1 1-18 0 9 9 0 0 1 18 0z",
  calendar: "M4.5 6h15v14h-15zM4.5 10.5h15M8.5 3.5V6M15.5 3.5V6",
  erase: "M9 6h11v12H9l-5.5-6zM12.5 10l4 4M16.5 10l-4 4",
  sound: "M5 9.5v5h3.5L13 18V6L8.5 9.5zM16.5 9a4.5 4.5 0 0 1 0 6M18.8 6.5a8 8 0 0 1 0 11",
  silent: "M5 9.5v5h3.5L13 18V6L8.5 9.5zM17 10l4 4M21 10l-4 4",
  copy: "M9 9h11v11H9zM15 5.5V4H4v11h1.5",
  print: "M7 9V4h10v5M7 17H4V9h16v8h-3M7 14h10v6H7z",
  outside: "M8 16L17 7M9 7h8v8",
  lock: "M6 11h12v9H6zM8.5 11V8a3.5 3.5 0 0 1 7 0v3",
} as const;

export type IconName = keyof typeof paths;

/** An icon beside words that say the same, so screen readers skip it. `turns`: it points in the text's direction. */
export function DeskIcon({ name, tone, turns }: { name: IconName; tone?: "late"; turns?: boolean }) {
  return (
    <svg
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      stroke-width={name === "more" ? "3" : "1.75"}
      stroke-linecap="round"
      stroke-linejoin="round"
      class={["icon", tone ? `icon-${tone}` : "", turns ? "icon-turns" : ""].filter(Boolean).join(" ")}
      aria-hidden="true"
    >
      <path d={paths[name]} />
    </svg>
  );
}
