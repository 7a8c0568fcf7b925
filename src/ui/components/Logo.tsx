/** The platform's logo. */
export function Logo({ size = 28 }: { readonly size?: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 32 32" aria-hidden="true">
      <path fill="#1890ff" d="M16 2 4 6.5v8.8C4 22.4 9.1 28 16 30c6.9-2 12-7.6 12-14.7V6.5z" />
      <path fill="#fff" d="M10 22v-7l4-2.6V22zm5.4 0V9.6L22 13v9z" />
    </svg>
  );
}
