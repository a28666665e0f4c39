/** Above a list: links that narrow it, each with how many there are. They follow the server. */
export function Kinds({
  label,
  kinds,
}: {
  label: string;
  kinds: readonly { href: string; text: string; count?: string; isHere: boolean }[];
}) {
  return (
    <nav class="kinds" id="kinds" data-live aria-label={label}>
      <ul>
        {kinds.map(({ href, text, count, isHere }) => (
          <li>
            <a href={href} aria-current={isHere ? "page" : false}>
              {text}
              {count !== undefined && <span class="num">{` ${count}`}</span>}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}
