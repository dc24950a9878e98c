import { z } from 'zod'
import type { Permission } from './permissions.ts'

/** What a person does on a machine needs the right of the call that is made there. */
export interface OnMachine {
  readonly onMachine: Permission
}

/**
 * One step: what is known of its input; what it is good for, said before whatever takes it; the command of a person that
 * takes it, in which a `<name>` stands for what is not known; and the tool that takes it, null where only a person can.
 */
export function row<Params extends z.ZodRawShape, const Tool extends string | null | OnMachine>(
  params: Params,
  purpose: string | ((params: z.infer<z.ZodObject<Params, z.core.$strict>>) => string),
  command: (params: z.infer<z.ZodObject<Params, z.core.$strict>>) => string,
  tool: Tool,
) {
  return { params, purpose, command, tool }
}

/** What a step knows of a thing: a name or an id, as who names the step has it. */
export const ref = z.string()
