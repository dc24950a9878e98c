import { isStorable } from '@svc/contracts/storable-text'
import { type FieldProblem, validationFailed } from './validation.ts'

const maxDepth = 32
const maxKeys = 2_000
const maxItems = 1_000
const dangerousKeys: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype'])

/**
 * Refuses JSON that no contract of ours needs, before a schema walks through it. Keys and items count per object and
 * array.
 */
export function checkJsonShape(value: unknown): void {
  const problem = findProblem(value, 1, '')
  if (problem) throw validationFailed([problem])
}

/** The object without the fields that its handler judges for itself. */
export function withoutFields(value: unknown, fields: readonly string[] = []): unknown {
  if (fields.length === 0 || typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value
  return Object.fromEntries(Object.entries(value).filter(([key]) => !fields.includes(key)))
}

function findProblem(value: unknown, depth: number, path: string): FieldProblem | undefined {
  if (typeof value === 'string') return findTextProblem(value, path)
  if (typeof value !== 'object' || value === null) return undefined
  if (depth > maxDepth) return { path, message: `nest at most ${maxDepth} levels` }
  const entries = Object.entries(value)
  const most = Array.isArray(value) ? maxItems : maxKeys
  if (entries.length > most) return { path, message: `give at most ${most} entries` }
  for (const [key, inner] of entries) {
    const here = path ? `${path}.${key}` : key
    if (dangerousKeys.has(key)) return { path: here, message: 'this name is not allowed' }
    const problem = findTextProblem(key, path) ?? findProblem(inner, depth + 1, here)
    if (problem) return problem
  }
  return undefined
}

function findTextProblem(text: string, path: string): FieldProblem | undefined {
  if (isStorable(text)) return undefined
  return { path, message: 'use text without NUL and without halves of surrogate pairs' }
}
