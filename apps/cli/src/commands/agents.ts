import { statSync } from 'node:fs'
import { resolve } from 'node:path'
import { type Command, Argument, Option } from 'commander'
import { type AgentName, type Mode, agentNames, agentTool } from '../agents/agent-tools.ts'
import type { Wish } from '../agents/connection.ts'
import type { Plan } from '../agents/set-up.ts'
import { type Cli, print } from '../cli.ts'
import { usageFailure } from '../output/failure.ts'

interface SetUpOptions extends Wish {
  dryRun?: true
  remove?: true
}

export function define(group: Command, cli: Cli): void {
  group.addHelpText('after', '\nExamples:\n  svc agents list\n  svc agents setup claude')
  group
    .command('list')
    .description(
      'list the agents known in the workspace, who offers them, and their models and efforts',
    )
    .addHelpText('after', '\nExamples:\n  svc agents list\n  svc agents list --json')
    .action(async () => {
      const { listAgents } = await import('../output/known-agents.ts')
      await listAgents(cli)
    })
  group
    .command('setup')
    .description(
      'write the service into the MCP settings of a coding agent, and keep what is there',
    )
    .addArgument(new Argument('<agent>', 'whose settings').choices(agentNames))
    .addOption(
      new Option('--hosted', "by the service's own address; the agent signs in itself").conflicts([
        'local',
        'remove',
      ]),
    )
    .addOption(
      new Option('--local', 'by svc mcp on this machine, as whom svc whoami shows').conflicts([
        'remove',
      ]),
    )
    .option('--project <path>', 'folder of a project: its file, for everybody there, not your own')
    .option('--dry-run', 'show the lines that would change, and write nothing')
    .option('--remove', 'take it out again')
    .addHelpText('after', help)
    .action((name: AgentName, options: SetUpOptions) => setUp(cli, name, options))
}

const help = `
Without --hosted and --local it is local where a token lies in a file on this machine: then nobody has to sign in,
and the agent's changes to files are reported as well. Else it is hosted, and so are files of projects, since a
command of this machine is no use to others. Hosted needs a service with SVC_MCP_ENABLED=true. No token is ever written.
What you add to the entry stays. A file that cannot be read is left as it is.

Examples:
  svc agents setup claude
  svc agents setup codex --hosted --url https://svc.example.com
  svc agents setup cursor --project . --dry-run
  svc agents setup gemini --remove`

async function setUp(cli: Cli, name: AgentName, options: SetUpOptions): Promise<void> {
  const { planRemoval, planSetUp } = await import('../agents/set-up.ts')
  const { connectionFor } = await import('../agents/connection.ts')
  const { project, remove, dryRun = false } = options
  const tool = agentTool(name)
  if (project !== undefined && !isFolder(project)) {
    throw usageFailure(`${project} is no folder: name that of the project.`)
  }
  const path = project === undefined ? tool.userFile(cli.env) : tool.projectFile(resolve(project))
  const plan = remove
    ? planRemoval(name, path)
    : planSetUp(name, path, await connectionFor(cli, options))
  const { file, text, mode, outcome } = plan
  const isChange = outcome !== 'already so' && outcome !== 'not there'
  if (isChange && !dryRun) {
    const { writeConfig } = await import('../agents/config-file.ts')
    writeConfig(file, text)
  }
  const result = { agent: name, mode: mode ?? null, file: path, outcome, dryRun }
  await print(cli, result, () =>
    dryRun && isChange ? patch(cli, plan) : describe(name, plan, remove),
  )
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false
}

async function patch({ stdout }: Cli, { file, text }: Plan): Promise<string> {
  const { changedLines } = await import('../agents/changed-lines.ts')
  const { paintDiff } = await import('../review/paint-diff.ts')
  return paintDiff(changedLines(file.path, file.text, text), stdout)
}

function describe(name: AgentName, { file, mode, outcome }: Plan, isRemoval = false): string {
  const { title, reload } = agentTool(name)
  const { path } = file
  if (outcome === 'not there') return `svc is not in ${path}: nothing to remove.`
  if (isRemoval) return `Removed svc from ${path}.\nNext: ${reload}.`
  if (outcome === 'already so') return `${path} has svc for ${title} already (${mode}).`
  const done = outcome === 'added' ? 'Added svc to' : 'Changed svc in'
  return `${done} ${path} for ${title} (${mode}).\nNext: ${nextSteps(name, mode).join('; ')}.`
}

/** What a person does before the agent has the tools. */
function nextSteps(name: AgentName, mode: Mode | undefined): string[] {
  const { reload, check, signIn } = agentTool(name)
  const signedIn = mode === 'hosted' ? [`sign in: ${signIn}`] : []
  return [reload, ...signedIn, `see that it answers: ${check}`]
}
