/** The calls above all routes: of two people, and of groups. Loaded apart, because the login needs none of it. */
import { ErrorBoundary } from "../fallback/ErrorBoundary.tsx";
import { GroupCallLayer } from "../group-call/GroupCallLayer.tsx";
import { CallFallback } from "./CallFallback.tsx";
import { CallLayer } from "./CallLayer.tsx";
import { FloatingProvider } from "./FloatingProvider.tsx";

export default function CallLayers() {
  return (
    <ErrorBoundary fallback={CallFallback}>
      <FloatingProvider>
        <CallLayer />
        <GroupCallLayer />
      </FloatingProvider>
    </ErrorBoundary>
  );
}
