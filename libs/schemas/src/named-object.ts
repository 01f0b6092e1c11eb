import { z } from 'zod';
import { must, mustHaveKnownFields } from './text.ts';

/** An object that has a name in `/openapi.json`, and so a type of its own in generated clients. */
export const named = <Shape extends z.ZodRawShape>(id: string, description: string, shape: Shape) =>
  z.object(shape).meta({ id, description });

/** The body of a request, which may have unknown fields. */
export const namedBody = <Shape extends z.ZodRawShape>(id: string, description: string, shape: Shape) =>
  z.object(shape, must('an object')).meta({ id, description });

/** The body of a request, which is refused if it has an unknown field. */
export const namedStrictBody = <Shape extends z.ZodRawShape>(id: string, description: string, shape: Shape) =>
  z.strictObject(shape, mustHaveKnownFields).meta({ id, description });
