/** Group calls over the engine `agora`. */
import { groupContract } from "./group-contract.ts";

groupContract("agora");
