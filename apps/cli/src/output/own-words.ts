import { type ServiceError, isServiceError } from '@svc/contracts/errors'
import type { Command } from 'commander'
import { exitCodeOf } from './exit-codes.ts'
import { CommandFailure } from './failure.ts'

/** Options that are called otherwise than the field that they give. */
const calledOtherwise: Readonly<Record<string, string>> = {
  reasoningEffort: 'effort',
  resourceKey: 'resource',
  resource_key: 'resource',
  assigned_agent: 'agent',
  expiresInDays: 'days',
  allowParallelObjectives: 'parallel',
  auto_advance: 'autoAdvance',
  allowedCommands: 'allowCommand',
  launchEnvVars: 'env',
}

/** A refusal of what was given names the option or argument in place of the field that it became. */
export function inOwnWords(command: Command, error: unknown): unknown {
  if (!isServiceError(error) || error.code !== 'validation_failed') return error
  const path = firstField(error)
  const given = path === undefined ? undefined : wordFor(command, path)
  const beginning = `Correct the request: ${path}: `
  if (given === undefined || !error.message.startsWith(beginning)) return error
  const message = `Correct ${given}: ${error.message.slice(beginning.length)}`
  return new CommandFailure(error.code, message, exitCodeOf(error.code))
}

function firstField({ details }: ServiceError): string | undefined {
  const [first]: unknown[] = Array.isArray(details?.['fields']) ? details['fields'] : []
  const isField = typeof first === 'object' && first !== null && 'path' in first
  return isField && typeof first.path === 'string' ? first.path : undefined
}

function wordFor(command: Command, path: string): string | undefined {
  const [field = ''] = path.split('.')
  const names = [field, calledOtherwise[field], field.replace(/(Id|s|Ids)$/, '')]
  const option = command.options.find((one) => names.includes(one.attributeName()))
  if (option) return option.long ?? undefined
  const argument =
    command.registeredArguments.find((one) => names.includes(one.name())) ??
    (field === 'id' ? command.registeredArguments[0] : undefined)
  return argument && `<${argument.name()}>`
}
