/** A QR picture of a text. Dark on light in both themes, because many readers know nothing else. */
import { encodeQR } from "qr";
import { useMemo } from "react";

/** Modules of light around the picture, which readers need. */
const BORDER = 3;

export function QrCode(props: {
  readonly text: string;
  /** What the picture is for. */
  readonly label: string;
  readonly size?: number;
}) {
  const { text, label, size = 192 } = props;
  const { side, path } = useMemo(() => {
    const rows = encodeQR(text, "raw", { ecc: "medium", border: BORDER });
    const dark = rows.flatMap((row, y) =>
      row.flatMap((on, x) => (on ? [`M${x} ${y}h1v1h-1z`] : [])),
    );
    return { side: rows.length, path: dark.join("") };
  }, [text]);
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${side} ${side}`}
      width={size}
      height={size}
      shapeRendering="crispEdges"
      className="qr-code"
    >
      <rect width={side} height={side} fill="#fff" />
      <path d={path} fill="#000" />
    </svg>
  );
}
