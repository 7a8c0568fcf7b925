/** Arco's icons for the pages that load none of Arco's code. */
import type { ReactNode } from "react";

const FILLED = { fill: "currentColor", stroke: "none" } as const;

const SHAPES = {
  apps: (
    <path strokeLinejoin="round" d="M7 7h13v13H7zM28 7h13v13H28zM7 28h13v13H7zM28 28h13v13H28z" />
  ),
  compass: (
    <path d="M42 24c0 9.941-8.059 18-18 18S6 33.941 6 24 14.059 6 24 6s18 8.059 18 18Zm-20.823-2.817 10.108-4.717a.2.2 0 0 1 .266.265L26.834 26.84l-10.109 4.717a.2.2 0 0 1-.266-.266l4.718-10.108Z" />
  ),
  desktop: (
    <path d="M24 32v8m0 0h-9m9 0h9M7 32h34a1 1 0 0 0 1-1V9a1 1 0 0 0-1-1H7a1 1 0 0 0-1 1v22a1 1 0 0 0 1 1Z" />
  ),
  exclamation: (
    <path d="M24 28V14m0 16v4M6 24c0-9.941 8.059-18 18-18s18 8.059 18 18-8.059 18-18 18S6 33.941 6 24Z" />
  ),
  eye: (
    <path d="M24 37c6.627 0 12.627-4.333 18-13-5.373-8.667-11.373-13-18-13-6.627 0-12.627 4.333-18 13 5.373 8.667 11.373 13 18 13Zm5-13a5 5 0 1 1-10 0 5 5 0 0 1 10 0Z" />
  ),
  "eye-invisible": (
    <path d="M14 14.5c-2.69 2-5.415 5.33-8 9.5 5.373 8.667 11.373 13 18 13 3.325 0 6.491-1.09 9.5-3.271M17.463 12.5C19 11 21.75 11 24 11c6.627 0 12.627 4.333 18 13-1.766 2.848-3.599 5.228-5.5 7.14M29 24a5 5 0 1 1-10 0 5 5 0 0 1 10 0ZM6.852 7.103l34.294 34.294" />
  ),
  loading: <path d="M42 24c0 9.941-8.059 18-18 18S6 33.941 6 24 14.059 6 24 6" />,
  lock: (
    <path d="M8 21h32a1 1 0 0 1 1 1v18a1 1 0 0 1-1 1H8a1 1 0 0 1-1-1V22a1 1 0 0 1 1-1Zm7 0v-6a9 9 0 1 1 18 0v6M24 35v-8" />
  ),
  moon: (
    <path
      {...FILLED}
      d="M42.108 29.769c.124-.387-.258-.736-.645-.613A17.99 17.99 0 0 1 36 30c-9.941 0-18-8.059-18-18 0-1.904.296-3.74.844-5.463.123-.387-.226-.768-.613-.645C10.558 8.334 5 15.518 5 24c0 10.493 8.507 19 19 19 8.482 0 15.666-5.558 18.108-13.231Z"
    />
  ),
  refused: (
    <path
      {...FILLED}
      fillRule="evenodd"
      d="M24 44c11.046 0 20-8.954 20-20S35.046 4 24 4 4 12.954 4 24s8.954 20 20 20Zm-2-11a1 1 0 0 0 1 1h2a1 1 0 0 0 1-1v-2a1 1 0 0 0-1-1h-2a1 1 0 0 0-1 1v2Zm4-18a1 1 0 0 0-1-1h-2a1 1 0 0 0-1 1v12a1 1 0 0 0 1 1h2a1 1 0 0 0 1-1V15Z"
    />
  ),
  robot: (
    <path d="M24 7v6m0-6h5m-5 0h-5M3 21v11m36 8H9V13h30v29m6-21v11m-27-6h1v1h-1v-1Zm11 0h1v1h-1v-1Z" />
  ),
  sun: (
    <>
      <circle cx="24" cy="24" r="9" {...FILLED} />
      <path
        strokeWidth="6"
        d="M24 5v6m0 26v6M5 24h6m26 0h6M10.565 10.565l4.243 4.243m18.384 18.384 4.243 4.243m0-26.87-4.243 4.243M14.808 33.192l-4.243 4.243"
      />
    </>
  ),
  user: (
    <path d="M7 37c0-4.97 4.03-8 9-8h16c4.97 0 9 3.03 9 8v3a1 1 0 0 1-1 1H8a1 1 0 0 1-1-1v-3Zm25-22a8 8 0 1 1-16 0 8 8 0 0 1 16 0Z" />
  ),
} satisfies Readonly<Record<string, ReactNode>>;

export type PlainIconName = keyof typeof SHAPES;

export function PlainIcon({ name }: { readonly name: PlainIconName }) {
  return (
    <svg
      // the library's stylesheet turns the icon that has this name
      className={`arco-icon arco-icon-${name}`}
      viewBox="0 0 48 48"
      fill="none"
      stroke="currentColor"
      strokeWidth="4"
      aria-hidden="true"
      focusable="false"
    >
      {SHAPES[name]}
    </svg>
  );
}
