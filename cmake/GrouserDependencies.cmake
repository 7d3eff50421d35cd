# Third-party packages. Imported targets are SYSTEM for their users, so our warnings spare them.

find_package(fmt REQUIRED)
find_package(TBB REQUIRED)
find_package(Eigen3 3.4 REQUIRED NO_MODULE)
find_package(SUNDIALS 6.4 REQUIRED COMPONENTS cvode arkode nvecserial sunmatrixdense sunlinsoldense)
find_package(nlohmann_json REQUIRED)
find_package(yaml-cpp REQUIRED)
find_package(urdfdom REQUIRED)
find_package(CLI11 REQUIRED)
find_package(assimp REQUIRED)
find_package(Qhull REQUIRED)
find_package(GDAL REQUIRED)
find_package(PNG REQUIRED)
find_package(Ceres 2.1 REQUIRED)
find_package(Boost 1.74 REQUIRED)  # headers alone: Beast and Asio
find_package(Threads REQUIRED)

# Debian may hold an MPI build of HDF5 beside the serial one; run files need the serial one.
set(HDF5_PREFER_PARALLEL OFF)
find_package(HDF5 REQUIRED COMPONENTS C)
if(HDF5_IS_PARALLEL)
  message(FATAL_ERROR "HDF5 was found with MPI; install the serial one (Debian: libhdf5-dev)")
endif()

set(GROUSER_SUNDIALS
    SUNDIALS::cvode SUNDIALS::arkode SUNDIALS::nvecserial SUNDIALS::sunmatrixdense
    SUNDIALS::sunlinsoldense SUNDIALS::sunnonlinsolnewton SUNDIALS::sunnonlinsolfixedpoint
    SUNDIALS::generic)
set(GROUSER_URDF urdfdom::urdfdom_model)

if(NOT GROUSER_COMPARE)
  return()
endif()
find_package(Simbody QUIET)

# Let a target compare itself with libccd or Bullet where those are installed; set
# GROUSER_WITH_LIBCCD, GROUSER_WITH_BULLET.
find_package(PkgConfig QUIET)
if(PkgConfig_FOUND)
  pkg_check_modules(CCD QUIET IMPORTED_TARGET ccd)
  pkg_check_modules(BULLET QUIET bullet)
endif()
function(grouser_use_libccd target)
  if(TARGET PkgConfig::CCD)
    target_link_libraries(${target} PRIVATE PkgConfig::CCD)
    target_compile_definitions(${target} PRIVATE GROUSER_WITH_LIBCCD=1)
  endif()
endfunction()
function(grouser_use_bullet target)
  if(BULLET_FOUND)
    target_include_directories(${target} SYSTEM PRIVATE ${BULLET_INCLUDE_DIRS})
    target_link_libraries(${target} PRIVATE BulletCollision LinearMath)
    target_compile_definitions(${target} PRIVATE GROUSER_WITH_BULLET=1)
  endif()
endfunction()

# Lets a target compare itself with Siconos Numerics where that is installed; sets GROUSER_WITH_SICONOS.
# Found by file: Debian's package asks for the whole of Siconos.
find_path(SICONOS_INCLUDE_DIR NonSmoothDrivers.h PATH_SUFFIXES siconos/numerics)
find_library(SICONOS_NUMERICS siconos_numerics)
find_library(SICONOS_EXTERNALS siconos_externals)
function(grouser_use_siconos target)
  if(SICONOS_INCLUDE_DIR AND SICONOS_NUMERICS AND SICONOS_EXTERNALS)
    target_include_directories(${target} SYSTEM PRIVATE
      ${SICONOS_INCLUDE_DIR} ${SICONOS_INCLUDE_DIR}/..)
    target_link_libraries(${target} PRIVATE ${SICONOS_NUMERICS} ${SICONOS_EXTERNALS})
    target_compile_definitions(${target} PRIVATE GROUSER_WITH_SICONOS=1)
  endif()
endfunction()

# Lets a target compare itself with Simbody where that is installed; sets GROUSER_HAVE_SIMBODY.
function(grouser_use_simbody target)
  if(NOT Simbody_FOUND)
    return()
  endif()
  target_include_directories(${target} SYSTEM PRIVATE ${Simbody_INCLUDE_DIR})
  target_link_libraries(${target} PRIVATE ${Simbody_LIBRARIES})
  target_compile_definitions(${target} PRIVATE GROUSER_HAVE_SIMBODY=1)
  target_compile_options(${target} PRIVATE
    "SHELL:-include ${PROJECT_SOURCE_DIR}/cmake/simbody_cxx20.h")
endfunction()
