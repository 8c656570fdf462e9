"""One base class for the models under pydantic 1.10 and 2."""

from typing import Any, Mapping, Type, TypeVar

import pydantic

IS_PYDANTIC_2 = pydantic.VERSION.split(".")[0] != "1"

if IS_PYDANTIC_2:

    class Model(pydantic.BaseModel):
        """A part of an answer. Members that this version does not know are allowed: a newer service may send them."""

        model_config = {
            "extra": "allow",
            "populate_by_name": True,
            "protected_namespaces": (),
            "hide_input_in_errors": True,
        }

else:

    class Model(pydantic.BaseModel):  # type: ignore[no-redef]
        """A part of an answer. Members that this version does not know are allowed: a newer service may send them."""

        class Config:
            extra = "allow"
            allow_population_by_field_name = True


M = TypeVar("M", bound=Model)


def parse_model(model: Type[M], data: Mapping[str, Any]) -> M:
    """Raises ValueError where the members that this version knows have another form."""
    either: Any = model  # Each version has a name of its own for this.
    parsed: M = either.model_validate(data) if IS_PYDANTIC_2 else either.parse_obj(data)
    return parsed


def dump_model(model: Model) -> Any:
    """As JSON values, with the names of the service."""
    either: Any = model
    return either.model_dump(by_alias=True) if IS_PYDANTIC_2 else either.dict(by_alias=True)
