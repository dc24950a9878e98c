export interface BranchPlanInput {
  mission: { title: string; sequence: number; activeBranch: string | null }
  objective: { key: string; branch: string | null }
  /** A sibling with an older live request uses the same resource. */
  siblingIsOlder: boolean
  useWorktrees: boolean
  /** Branches that exist, and whether each is merged into the base. */
  known: ReadonlyMap<string, { merged: boolean }>
}

export interface BranchPlan {
  branch: string
  /** What the branch is cut from when it does not exist: the base branch or the mission's branch. */
  from: 'base' | 'mission'
  missionBranch: string
}

/** Which branch a run works on. Pure: the server's preview and the runner read the same plan. */
export function planBranch(input: BranchPlanInput): BranchPlan {
  const missionBranch = planMissionBranch(input)
  const { objective } = input
  if (objective.branch !== null && input.known.has(objective.branch)) {
    return { branch: objective.branch, from: 'mission', missionBranch }
  }
  if (objective.branch !== null || (input.siblingIsOlder && input.useWorktrees)) {
    const from = input.known.has(missionBranch) ? 'mission' : 'base'
    return { branch: `${missionBranch}-${objective.key}`, from, missionBranch }
  }
  return { branch: missionBranch, from: 'base', missionBranch }
}

function planMissionBranch({ mission, known }: BranchPlanInput): string {
  const first = `${slugOf(mission.title) || 'mission'}-${mission.sequence}`
  const recorded = mission.activeBranch
  if (recorded === null) return first
  const found = known.get(recorded)
  return found && !found.merged ? recorded : nextCycle(first, recorded, known)
}

/** Work that was merged, or whose branch is gone, starts anew under the next free number: name-2, name-3. */
function nextCycle(first: string, recorded: string, known: BranchPlanInput['known']): string {
  const number = recorded.startsWith(`${first}-`) ? Number(recorded.slice(first.length + 1)) : 1
  let cycle = (Number.isSafeInteger(number) ? number : 1) + 1
  while (known.get(`${first}-${cycle}`)?.merged) cycle += 1
  return `${first}-${cycle}`
}

function slugOf(title: string): string {
  return title
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, 48)
    .replace(/^-+|-+$/g, '')
}
