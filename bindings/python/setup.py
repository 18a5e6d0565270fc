"""The wheel has machine code, but no code for one version of Python: it is called by ctypes."""

from setuptools import setup
from setuptools.dist import Distribution
from wheel.bdist_wheel import bdist_wheel


class NativeDistribution(Distribution):
    def has_ext_modules(self) -> bool:
        return True


class AnyPython(bdist_wheel):  # type: ignore[misc]
    def get_tag(self) -> tuple[str, str, str]:
        return 'py3', 'none', super().get_tag()[2].replace('linux_', 'manylinux_2_17_')


setup(distclass=NativeDistribution, cmdclass={'bdist_wheel': AnyPython})
