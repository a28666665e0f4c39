/** The dark modules as a path of strokes one module wide, and the side of the code with its quiet zone. */
export type QrPath = { path: string; side: number };

/**
 * A code with whole pixels per module, dark on white in both colour schemes. CSS, which knows the screen, sets their
 * number by the class `side-…`.
 */
export function QrCode({ code: { path, side }, label }: { code: QrPath; label: string }) {
  return (
    <span class="qr" role="img" aria-label={label}>
      <svg
        class={`side-${side}`}
        width={String(side * 4)}
        height={String(side * 4)}
        viewBox={`0 0 ${side} ${side}`}
        shape-rendering="crispEdges"
        aria-hidden="true"
      >
        <path fill="#fff" d={`M0 0h${side}v${side}H0z`} />
        <path stroke="#000" d={path} />
      </svg>
    </span>
  );
}
