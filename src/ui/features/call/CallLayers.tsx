/** The calls above all routes: of two people, and of groups. Loaded apart, because the login needs none of it. */
import { GroupCallLayer } from "../group-call/GroupCallLayer.tsx";
import { CallLayer } from "./CallLayer.tsx";
import { FloatingProvider } from "./FloatingProvider.tsx";

export default function CallLayers() {
  return (
    <FloatingProvider>
      <CallLayer />
      <GroupCallLayer />
    </FloatingProvider>
  );
}
