/** Recognises that a screen capture shows the tab that captures it (Capture Handle; Chromium alone has it). */
interface NamingDevices {
  setCaptureHandleConfig?(config: {
    handle: string;
    exposeOrigin: boolean;
    permittedOrigins: string[];
  }): void;
}
interface NamedTrack {
  getCaptureHandle?(): { readonly handle?: string } | null;
}

/** Call before the capture. Does nothing where the browser cannot, as in a frame. */
export function nameThisTab(devices: object, handle: string, origin: string): void {
  try {
    (devices as NamingDevices).setCaptureHandleConfig?.({
      handle,
      exposeOrigin: false,
      permittedOrigins: [origin],
    });
  } catch {
    // A capture of this tab is then not recognised, and cannot be controlled.
  }
}

/** Whether the track shows the tab with this name now. A person may switch the shared tab during the capture. */
export const showsTab = (track: object, handle: string): boolean =>
  (track as NamedTrack).getCaptureHandle?.()?.handle === handle;
