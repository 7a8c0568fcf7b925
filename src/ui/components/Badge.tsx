import "./badge.css";

/** Unread count; nothing for zero. */
export function CountBadge({ count, label }: { readonly count: number; readonly label?: string }) {
  if (count <= 0) return null;
  return (
    <span className="count-badge tnum" aria-label={label} role={label ? "img" : undefined}>
      {count > 99 ? "99+" : count}
    </span>
  );
}
