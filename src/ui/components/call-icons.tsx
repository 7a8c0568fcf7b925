/** Icons of calls, drawn here so that all have the same stroke width. */
import type { ReactNode } from "react";

const icon = (children: ReactNode) =>
  function Icon() {
    return (
      <svg
        className="call-icon"
        width="1em"
        height="1em"
        viewBox="0 0 24 24"
        fill="none"
        stroke="currentColor"
        strokeWidth="2"
        strokeLinecap="round"
        strokeLinejoin="round"
        aria-hidden="true"
      >
        {children}
      </svg>
    );
  };

const handset =
  "M22 16.92v3a2 2 0 0 1-2.18 2 19.8 19.8 0 0 1-8.63-3.07 19.5 19.5 0 0 1-6-6 19.8 19.8 0 0 1-3.07-8.67A2 2 0 0 1 4.11 2h3a2 2 0 0 1 2 1.72c.13.96.36 1.9.7 2.81a2 2 0 0 1-.45 2.11L8.09 9.91a16 16 0 0 0 6 6l1.27-1.27a2 2 0 0 1 2.11-.45c.91.34 1.85.57 2.81.7A2 2 0 0 1 22 16.92z";

export const PhoneIcon = icon(<path d={handset} />);
export const HangupIcon = icon(
  <g transform="rotate(135 12 12)">
    <path d={handset} />
  </g>,
);
export const CameraIcon = icon(
  <>
    <path d="m22 8-6 4 6 4V8z" />
    <rect x="2" y="6" width="14" height="12" rx="2" />
  </>,
);
export const CameraOffIcon = icon(
  <>
    <path d="M10.7 6H14a2 2 0 0 1 2 2v3.3l1 .7 5-4v8M16 16a2 2 0 0 1-2 2H4a2 2 0 0 1-2-2V8a2 2 0 0 1 2-2h1" />
    <path d="m2 2 20 20" />
  </>,
);
export const MicIcon = icon(
  <>
    <rect x="9" y="2" width="6" height="12" rx="3" />
    <path d="M5 11a7 7 0 0 0 14 0M12 18v4" />
  </>,
);
export const MicOffIcon = icon(
  <>
    <path d="M15 9.3V5a3 3 0 0 0-5.9-.7M9 9v2a3 3 0 0 0 5.1 2.1M19 11a7 7 0 0 1-.6 2.8M16.2 16.6A7 7 0 0 1 5 11M12 18v4" />
    <path d="m2 2 20 20" />
  </>,
);
export const HandIcon = icon(
  <>
    <path d="M10 10.5V5.5a2 2 0 0 0-4 0v9M14 10.5V4a2 2 0 0 0-4 0v6.5M18 11V5.5a2 2 0 0 0-4 0v5" />
    <path d="M18 11V9a2 2 0 0 1 4 0v5.5a7.5 7.5 0 0 1-7.5 7.5h-1.7a8 8 0 0 1-5.7-2.3l-4-4a1.9 1.9 0 0 1 2.7-2.7L7.5 14.7" />
  </>,
);
export const MinimizeIcon = icon(<path d="M4 14h6v6M20 10h-6V4M14 10l7-7M10 14l-7 7" />);
export const RestoreIcon = icon(<path d="M15 3h6v6M9 21H3v-6M21 3l-7 7M3 21l7-7" />);
export const SpeakerIcon = icon(
  <path d="M11 5 6 9H2v6h4l5 4V5zM15.5 8.5a5 5 0 0 1 0 7M18.4 5.6a9 9 0 0 1 0 12.8" />,
);
export const PictureInPictureIcon = icon(
  <>
    <path d="M21 9V6a2 2 0 0 0-2-2H5a2 2 0 0 0-2 2v12a2 2 0 0 0 2 2h4" />
    <rect x="12" y="13" width="9" height="7" rx="1.5" fill="currentColor" />
  </>,
);
