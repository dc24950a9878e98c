import type { Role, TokenPreset } from '@svc/contracts/permissions'
import { roles, tokenPresets } from '../../data/access.values.ts'

// What is being written, as the text of a draft. What is no such text, as one of another version may be, is an empty form.

export interface InvitationForm {
  email: string
  role: Role
}

export function writeInvitation({ email, role }: InvitationForm): string {
  return JSON.stringify({ email, role })
}

export function readInvitation(text: string): InvitationForm {
  const given = parse(text)
  return {
    email: textOf(given['email']),
    role: roles.find((role) => role === given['role']) ?? 'member',
  }
}

export interface TokenForm {
  label: string
  preset: TokenPreset
  /** As it is written. */
  days: string
  /** null: for all projects. */
  projectIds: readonly string[] | null
}

export function writeToken({ label, preset, days, projectIds }: TokenForm): string {
  return JSON.stringify({ label, preset, days, projectIds })
}

export function readToken(text: string, mostDays: number): TokenForm {
  const given = parse(text)
  const { days, projectIds } = given
  return {
    label: textOf(given['label']),
    preset: tokenPresets.find((preset) => preset === given['preset']) ?? 'mission_lifecycle',
    days: typeof days === 'string' ? days : String(Math.min(90, mostDays)),
    projectIds: Array.isArray(projectIds)
      ? projectIds.filter((id) => typeof id === 'string')
      : null,
  }
}

/** Why so many days will not do; undefined where they will. */
export function problemOfDays(days: string, most: number): string | undefined {
  const number = Number(days)
  if (/^\d+$/.test(days.trim()) && number >= 1 && number <= most) return undefined
  return `Give a number from 1 to ${most}.`
}

export interface WorkspaceForm {
  name: string
  /** undefined: as the name says. */
  slug: string | undefined
}

export function writeNewWorkspace({ name, slug }: WorkspaceForm): string {
  return JSON.stringify({ name, slug })
}

export function readNewWorkspace(text: string): WorkspaceForm {
  const { name, slug } = parse(text)
  return { name: textOf(name), slug: typeof slug === 'string' ? slug : undefined }
}

export interface SettingsForm {
  name: string
  days: string
}

export function writeSettings({ name, days }: SettingsForm): string {
  return JSON.stringify({ name, days })
}

export function readSettings(text: string): SettingsForm {
  const { name, days } = parse(text)
  return { name: textOf(name), days: textOf(days) }
}

function parse(text: string): Readonly<Record<string, unknown>> {
  try {
    const given: unknown = JSON.parse(text)
    // an object has its values by their names
    return typeof given === 'object' && given !== null ? (given as Record<string, unknown>) : {}
  } catch {
    return {}
  }
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}
