import { readFileSync, readdirSync } from 'node:fs'
import { isThere, readProcess } from '@svc/process/process-identity'

/** The variables that every process of a run inherits. */
export interface Marker {
  requestId: string
  generation: number
  /** Of its processes, those of one check alone. */
  check?: string
}

/** The variable that the processes of one check have in addition. */
export const checkMark = 'SVC_CHECK'

/** Living members of a process group. Where the system has no /proc, the group itself as one negative id. */
export function groupMembers(group: number): number[] {
  if (!isThere(-group)) return []
  if (process.platform !== 'linux') return [-group]
  return listProcesses().filter((pid) => groupOf(pid) === group)
}

/** Living processes that carry the run's variables, wherever they went. Linux only; elsewhere none are found. */
export function markedProcesses({ requestId, generation, check }: Marker): number[] {
  if (process.platform !== 'linux') return []
  const marks = [
    `SVC_EXECUTION_REQUEST_ID=${requestId}`,
    `SVC_EXECUTION_GENERATION=${generation}`,
    ...(check === undefined ? [] : [`${checkMark}=${check}`]),
  ]
  return listProcesses().filter((pid) => {
    const variables = environmentOf(pid)
    return marks.every((mark) => variables.includes(mark)) && readProcess(pid) !== undefined
  })
}

function listProcesses(): number[] {
  return readdirSync('/proc')
    .filter((name) => /^[0-9]+$/.test(name))
    .map(Number)
    .filter((pid) => pid !== process.pid)
}

/** Undefined for a zombie too. */
function groupOf(pid: number): number | undefined {
  const stat = read(`/proc/${pid}/stat`)
  const [state, , group] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return state === undefined || /^[ZX]/.test(state) ? undefined : Number(group)
}

function environmentOf(pid: number): string[] {
  return read(`/proc/${pid}/environ`).split('\0')
}

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}
