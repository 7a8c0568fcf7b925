/** A video of the call of two. Any number of elements may show the same picture. */
import { useEffect, useRef } from "react";
import { useServices, useSlice } from "../../state/services.ts";

export function CallVideo(props: { readonly which: "local" | "remote"; readonly label: string }) {
  const { media } = useServices();
  const { owner } = useSlice("call");
  const element = useRef<HTMLVideoElement>(null);
  const epoch = owner?.epoch ?? 0;
  useEffect(() => {
    const video = element.current;
    return video === null ? undefined : media.bindVideo(props.which, video);
    // oxlint-disable-next-line react/exhaustive-effect-dependencies -- a new owner epoch has new streams
  }, [media, props.which, epoch]);
  return (
    <video
      ref={element}
      className={`call-video call-video-${props.which}`}
      aria-label={props.label}
      autoPlay
      muted
      playsInline
    />
  );
}
