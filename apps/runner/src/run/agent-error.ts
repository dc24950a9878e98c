import { cutText } from '@svc/contracts/cut-text'
import { limits } from '@svc/contracts/limits'
import { maskAndClean } from '../output/for-others.ts'
import type { Run } from './run.ts'
import { textForOthers } from './text-for-others.ts'

/** What an agent said went wrong, on one line, for whoever may read the mission. It is cut once no secret is in it. */
export function agentErrorForOthers(run: Run, said: string, spellings: readonly string[]): string {
  const text = textForOthers(maskAndClean(said, spellings), run.order, run.env)
  return cutText(text.replace(/\s+/g, ' ').trim(), limits.agentErrorCharacters)
}
